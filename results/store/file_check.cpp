#include "results/store/file_check.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>

#include <fmt/format.h>

#include "base/error.h"

namespace fbt::results {
namespace {

// Offsets in the header: https://www.sqlite.org/fileformat2.html, section 1.3.
constexpr std::string_view kMagic{"SQLite format 3\0", 16};
constexpr std::size_t kHeaderSize = 100;
constexpr std::size_t kPageSizeOffset = 16;
constexpr std::size_t kPageCountOffset = 28;
constexpr std::size_t kApplicationIdOffset = 68;

using Header = std::array<unsigned char, kHeaderSize>;

std::uint32_t big_endian(const Header& header, std::size_t offset, int bytes) {
  std::uint32_t value = 0;
  for (int i = 0; i < bytes; ++i) {
    value = value << 8 | header[offset + static_cast<std::size_t>(i)];
  }
  return value;
}

// A crashed writer's log or journal: the file alone does not tell its size then.
bool has_log(const std::filesystem::path& path) {
  for (const char* suffix : {"-wal", "-journal"}) {
    std::error_code error;
    const auto size = std::filesystem::file_size(path.string() + suffix, error);
    if (!error && size > 0) return true;
  }
  return false;
}

}  // namespace

FileState check_results_file(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) return FileState::kAbsent;
  if (error) {
    throw InputError(fmt::format("cannot open {}: {}", path.string(), error.message()));
  }
  if (status.type() != std::filesystem::file_type::regular) {
    throw InputError(fmt::format("cannot open {}: it is not a regular file", path.string()));
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw InputError(fmt::format("cannot open {}: {}", path.string(), std::strerror(errno)));
  }
  Header header{};
  file.read(reinterpret_cast<char*>(header.data()), header.size());
  const auto got = static_cast<std::size_t>(file.gcount());
  if (got == 0) return FileState::kEmpty;
  const std::string_view start(reinterpret_cast<const char*>(header.data()), kMagic.size());
  if (got < kMagic.size() || start != kMagic) {
    throw InputError(
        fmt::format("{} is not a results file (nor any SQLite database); choose another with --db",
                    path.string()));
  }
  const auto truncated = [&] {
    return InputError(
        fmt::format("{} is truncated ({} bytes); restore a copy, or choose another file with --db",
                    path.string(), std::filesystem::file_size(path)));
  };
  if (got < kHeaderSize) throw truncated();
  if (big_endian(header, kApplicationIdOffset, 4) != kApplicationId) {
    throw InputError(
        fmt::format("{} is an SQLite database of another program; choose another file with --db",
                    path.string()));
  }
  const std::uint64_t page_size =
      big_endian(header, kPageSizeOffset, 2) == 1 ? 65536 : big_endian(header, kPageSizeOffset, 2);
  const std::uint64_t expected = page_size * big_endian(header, kPageCountOffset, 4);
  if (std::filesystem::file_size(path) < expected && !has_log(path)) throw truncated();
  return FileState::kOurs;
}

}  // namespace fbt::results
