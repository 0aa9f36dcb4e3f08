#pragma once

// Files: whole reads, atomic writes, read-only memory maps. Errors name the
// path and the system's reason.

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace fbt {

// The whole file. Files ending in .gz are decompressed. Throws InputError.
std::string read_file(const std::filesystem::path& path);

// The same without decompressing anything.
std::string read_raw_file(const std::filesystem::path& path);

// Writes to a temporary file in the same folder, flushes it to the disk and
// renames it over `path`: readers see the old content or the new, never a half.
// Throws EnvironmentError (disk full, no permission) and leaves no temporary.
void write_file_atomically(const std::filesystem::path& path, std::string_view content);

// The same for content in pieces, written one after the other.
void write_file_atomically(const std::filesystem::path& path,
                           std::span<const std::string_view> pieces);

// A read-only, private memory map of a file. Movable; unmapped on destruction.
// The bytes stay valid as long as the object lives and the file is not truncated.
class MappedFile {
 public:
  // Throws InputError if the file cannot be opened or mapped.
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return {data_, size_}; }

  // Tells the kernel that these bytes are not needed again soon, so that a
  // sequential reader's resident memory does not grow with the file.
  void release(std::size_t offset, std::size_t length) const;

 private:
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace fbt
