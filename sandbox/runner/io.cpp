#include "sandbox/runner/io.h"

#include <fcntl.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>

namespace fbt::sandbox::runner {

bool read_all(int fd, void* data, std::size_t size) {
  char* at = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t got = ::read(fd, at, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

bool write_all(int fd, const void* data, std::size_t size) {
  const char* at = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t put = ::write(fd, at, size);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    at += put;
    size -= static_cast<std::size_t>(put);
  }
  return true;
}

bool read_string(int fd, std::size_t size, std::string& bytes) {
  bytes.resize(size);
  return read_all(fd, bytes.data(), size);
}

std::string read_small_file(const std::string& path) {
  std::string content;
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return content;
  char piece[4096];
  for (ssize_t got; (got = ::read(fd, piece, sizeof piece)) > 0;) {
    content.append(piece, static_cast<std::size_t>(got));
  }
  ::close(fd);
  return content;
}

bool write_small_file(const std::string& path, std::string_view content) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const ssize_t put = ::write(fd, content.data(), content.size());
  const int reason = errno;
  ::close(fd);
  errno = reason;
  return put == static_cast<ssize_t>(content.size());
}

std::string system_failure(std::string_view call, std::string_view object) {
  const int reason = errno;
  std::string text(call);
  if (!object.empty()) text.append(" ").append(object);
  return text.append(": ").append(std::strerror(reason));
}

}  // namespace fbt::sandbox::runner
