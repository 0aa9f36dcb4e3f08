#pragma once

// Whole reads and writes, and how the runner words a failed system call.

#include <cstddef>
#include <string>
#include <string_view>

namespace fbt::sandbox::runner {

// False at end of file and on errors.
bool read_all(int fd, void* data, std::size_t size);
bool write_all(int fd, const void* data, std::size_t size);
// Exactly `size` bytes into `bytes`.
bool read_string(int fd, std::size_t size, std::string& bytes);

// A file's content, empty where it cannot be read; one write to an existing file.
std::string read_small_file(const std::string& path);
bool write_small_file(const std::string& path, std::string_view content);

// "mount /tmp: Operation not permitted", from errno.
std::string system_failure(std::string_view call, std::string_view object = {});

}  // namespace fbt::sandbox::runner
