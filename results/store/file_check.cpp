#include "results/store/file_check.h"

#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

#include <fmt/format.h>

#include "base/error.h"
#include "results/store/database.h"

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

struct FileStart {
  Header header{};
  std::uint64_t file_size = 0;

  std::size_t bytes() const { return std::min<std::uint64_t>(file_size, kHeaderSize); }
};

// Reads through SQLite's own descriptor: closing another one would drop the locks
// that this process's connections hold on the file, and the next process to close it
// would take their write-ahead log away (https://www.sqlite.org/howtocorrupt.html,
// section 2.2).
FileStart read_start(const std::filesystem::path& path) {
  const Database database(path, Database::Access::kReadOnly);
  sqlite3_file* file = nullptr;
  FileStart start;
  start.file_size = std::filesystem::file_size(path);
  int code = sqlite3_file_control(database.handle(), "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (code == SQLITE_OK && start.file_size > 0) {
    code = file->pMethods->xRead(file, start.header.data(), static_cast<int>(start.bytes()), 0);
  }
  if (code != SQLITE_OK) database.fail(code);
  return start;
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
  if (::access(path.c_str(), R_OK) != 0) {
    throw InputError(fmt::format("cannot open {}: {}", path.string(), std::strerror(errno)));
  }
  const FileStart start = read_start(path);
  const Header& header = start.header;
  const std::size_t got = start.bytes();
  if (got == 0) return FileState::kEmpty;
  const std::string_view magic(reinterpret_cast<const char*>(header.data()), kMagic.size());
  if (got < kMagic.size() || magic != kMagic) {
    throw InputError(
        fmt::format("{} is not a results file (nor any SQLite database); choose another with --db",
                    path.string()));
  }
  const auto truncated = [&] {
    return InputError(
        fmt::format("{} is truncated ({} bytes); restore a copy, or choose another file with --db",
                    path.string(), start.file_size));
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
  if (start.file_size < expected && !has_log(path)) throw truncated();
  return FileState::kOurs;
}

}  // namespace fbt::results
