#include "base/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"

namespace fbt {
namespace {

std::string reason() {
  return std::strerror(errno);
}

// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

std::string read_plain(const std::filesystem::path& path) {
  const Descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (fd.get() < 0) throw InputError(fmt::format("cannot read {}: {}", path.string(), reason()));
  struct stat info {};
  if (::fstat(fd.get(), &info) != 0 || S_ISDIR(info.st_mode)) {
    throw InputError(fmt::format("cannot read {}: it is a folder, not a file", path.string()));
  }
  std::string content;
  content.reserve(static_cast<std::size_t>(info.st_size));
  char buffer[1 << 16];
  while (true) {
    const ssize_t got = ::read(fd.get(), buffer, sizeof buffer);
    if (got == 0) return content;
    if (got < 0) {
      if (errno == EINTR) continue;
      throw InputError(fmt::format("cannot read {}: {}", path.string(), reason()));
    }
    content.append(buffer, static_cast<std::size_t>(got));
  }
}

std::string read_gzip(const std::filesystem::path& path) {
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rbe"), gzclose);
  if (!file) throw InputError(fmt::format("cannot read {}: {}", path.string(), reason()));
  std::string content;
  char buffer[1 << 16];
  while (true) {
    const int got = gzread(file.get(), buffer, sizeof buffer);
    if (got > 0) {
      content.append(buffer, static_cast<std::size_t>(got));
      continue;
    }
    int code = Z_OK;
    const char* what = gzerror(file.get(), &code);
    // A truncated stream ends early with Z_BUF_ERROR and no bytes.
    if (got < 0 || (code != Z_OK && code != Z_STREAM_END)) {
      throw InputError(fmt::format("{} is not a whole gzip file: {}", path.string(), what));
    }
    return content;
  }
}

}  // namespace

std::string read_file(const std::filesystem::path& path) {
  return path.extension() == ".gz" ? read_gzip(path) : read_plain(path);
}

std::string read_raw_file(const std::filesystem::path& path) {
  return read_plain(path);
}

void write_file_atomically(const std::filesystem::path& path, std::string_view content) {
  write_file_atomically(path, std::span(&content, 1));
}

void write_file_atomically(const std::filesystem::path& path,
                           std::span<const std::string_view> pieces) {
  std::string temporary = path.string() + ".XXXXXX";
  const Descriptor fd(::mkostemp(temporary.data(), O_CLOEXEC));
  if (fd.get() < 0) {
    throw EnvironmentError(fmt::format("cannot write {}: {}", path.string(), reason()));
  }
  const auto fail = [&] {
    const std::string why = reason();
    ::unlink(temporary.c_str());
    throw EnvironmentError(fmt::format("cannot write {}: {}", path.string(), why));
  };
  for (const std::string_view piece : pieces) {
    for (std::size_t done = 0; done < piece.size();) {
      const ssize_t put = ::write(fd.get(), piece.data() + done, piece.size() - done);
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) fail();
      done += static_cast<std::size_t>(put);
    }
  }
  if (::fchmod(fd.get(), 0644) != 0 || ::fsync(fd.get()) != 0) fail();
  if (::rename(temporary.c_str(), path.c_str()) != 0) fail();
}

MappedFile::MappedFile(const std::filesystem::path& path) {
  const Descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (fd.get() < 0) throw InputError(fmt::format("cannot read {}: {}", path.string(), reason()));
  struct stat info {};
  if (::fstat(fd.get(), &info) != 0) {
    throw InputError(fmt::format("cannot read {}: {}", path.string(), reason()));
  }
  if (!S_ISREG(info.st_mode)) {
    throw InputError(fmt::format("cannot read {}: it is not a regular file", path.string()));
  }
  size_ = static_cast<std::size_t>(info.st_size);
  if (size_ == 0) return;
  void* data = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, fd.get(), 0);
  if (data == MAP_FAILED) {
    throw InputError(fmt::format("cannot map {}: {}", path.string(), reason()));
  }
  data_ = static_cast<const std::byte*>(data);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), size_);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

void MappedFile::release(std::size_t offset, std::size_t length) const {
  if (data_ == nullptr) return;
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t begin = (offset + page - 1) / page * page;
  const std::size_t end = (offset + length) / page * page;
  if (end > begin) ::madvise(const_cast<std::byte*>(data_) + begin, end - begin, MADV_DONTNEED);
}

}  // namespace fbt
