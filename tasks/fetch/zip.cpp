#include "tasks/fetch/zip.h"

#include <zlib.h>

#include <cstdint>

#include <fmt/format.h>

#include "base/error.h"

namespace fbt::tasks {
namespace {

// Signatures and sizes of the records (APPNOTE.TXT 4.3).
constexpr std::string_view kEndOfDirectory("PK\5\6", 4);
constexpr std::string_view kDirectoryEntry("PK\1\2", 4);
constexpr std::string_view kLocalHeader("PK\3\4", 4);
constexpr std::size_t kEndOfDirectorySize = 22;
constexpr std::size_t kDirectoryEntrySize = 46;
constexpr std::size_t kLocalHeaderSize = 30;
constexpr std::uint32_t kStored = 0;
constexpr std::uint32_t kDeflated = 8;

class Archive {
 public:
  Archive(std::string_view bytes, const std::string& where) : bytes_(bytes), where_(where) {}

  std::string member(std::string_view name) const {
    const std::size_t end = bytes_.rfind(kEndOfDirectory);
    if (end == std::string_view::npos || bytes_.size() - end < kEndOfDirectorySize) damaged();
    const std::uint32_t entries = number(end + 10, 2);
    std::size_t at = number(end + 16, 4);
    for (std::uint32_t i = 0; i < entries; ++i) {
      if (part(at, kDirectoryEntrySize).substr(0, 4) != kDirectoryEntry) damaged();
      const std::size_t name_size = number(at + 28, 2);
      if (part(at + kDirectoryEntrySize, name_size) == name) return unpack(at);
      at += kDirectoryEntrySize + name_size + number(at + 30, 2) + number(at + 32, 2);
    }
    throw InputError(fmt::format("{}: the archive holds no {}", where_, name));
  }

 private:
  [[noreturn]] void damaged() const {
    throw InputError(fmt::format("{}: the zip archive is damaged", where_));
  }

  std::string_view part(std::size_t at, std::size_t size) const {
    if (at > bytes_.size() || size > bytes_.size() - at) damaged();
    return bytes_.substr(at, size);
  }

  // Little-endian.
  std::uint32_t number(std::size_t at, std::size_t size) const {
    const std::string_view digits = part(at, size);
    std::uint32_t value = 0;
    for (std::size_t i = size; i > 0; --i) {
      value = value << 8 | static_cast<unsigned char>(digits[i - 1]);
    }
    return value;
  }

  std::string unpack(std::size_t entry) const {
    const std::uint32_t method = number(entry + 10, 2);
    const std::uint32_t checksum = number(entry + 16, 4);
    const std::size_t packed_size = number(entry + 20, 4);
    const std::size_t size = number(entry + 24, 4);
    const std::size_t local = number(entry + 42, 4);
    if (part(local, kLocalHeaderSize).substr(0, 4) != kLocalHeader) damaged();
    const std::size_t begin =
        local + kLocalHeaderSize + number(local + 26, 2) + number(local + 28, 2);
    const std::string_view packed = part(begin, packed_size);
    if (method != kStored && method != kDeflated) damaged();
    std::string content = method == kStored ? std::string(packed) : inflate_raw(packed, size);
    const auto* bytes = reinterpret_cast<const Bytef*>(content.data());
    if (content.size() != size || crc32(0, bytes, static_cast<uInt>(content.size())) != checksum) {
      damaged();
    }
    return content;
  }

  std::string inflate_raw(std::string_view packed, std::size_t size) const {
    // A damaged header must not ask for memory: deflate packs at most 1032 to 1.
    constexpr std::size_t kHighestRatio = 1032;
    if (size / kHighestRatio > packed.size()) damaged();
    std::string content(size, '\0');
    z_stream stream{};
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = reinterpret_cast<Bytef*>(content.data());
    stream.avail_out = static_cast<uInt>(content.size());
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) damaged();
    const int result = inflate(&stream, Z_FINISH);
    inflateEnd(&stream);
    if (result != Z_STREAM_END) damaged();
    return content;
  }

  std::string_view bytes_;
  const std::string& where_;
};

}  // namespace

std::string zip_member(std::string_view archive, std::string_view member,
                       const std::string& where) {
  return Archive(archive, where).member(member);
}

}  // namespace fbt::tasks
