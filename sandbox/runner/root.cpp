// The file system of tier 1.

#include <cerrno>
#include <string>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox/runner/io.h"
#include "sandbox/runner/jail.h"

namespace fbt::sandbox::runner {
namespace {

// Where the new root is put together: a folder that every machine has and that
// holds nothing the jail will show.
const std::string kNewRoot = "/proc";

constexpr unsigned long kInert = MS_NOSUID | MS_NODEV;
constexpr mode_t kFolderMode = 0755;

bool make_parents(const std::string& path) {
  for (std::size_t slash = path.find('/', 1); slash != std::string::npos;
       slash = path.find('/', slash + 1)) {
    if (::mkdir(path.substr(0, slash).c_str(), kFolderMode) != 0 && errno != EEXIST) return false;
  }
  return true;
}

bool make_mount_point(const std::string& path, bool folder) {
  if (!make_parents(path)) return false;
  if (folder) return ::mkdir(path.c_str(), kFolderMode) == 0 || errno == EEXIST;
  const int fd = ::open(path.c_str(), O_CREAT | O_CLOEXEC | O_WRONLY, 0444);
  if (fd < 0) return false;
  ::close(fd);
  return true;
}

// Read-only with all that is mounted beneath; kernels before 5.12 change only
// the mount itself.
bool make_read_only(const std::string& path) {
#ifdef MOUNT_ATTR_RDONLY
  mount_attr attributes{};
  attributes.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;
  if (::syscall(SYS_mount_setattr, AT_FDCWD, path.c_str(), AT_RECURSIVE, &attributes,
                sizeof attributes) == 0) {
    return true;
  }
  if (errno != ENOSYS) return false;
#endif
  // Flags that an outer namespace has set cannot be taken off, so name them again.
  struct statvfs current {};
  if (::statvfs(path.c_str(), &current) != 0) return false;
  unsigned long flags = MS_BIND | MS_REMOUNT | MS_RDONLY | kInert;
  if (current.f_flag & ST_NOEXEC) flags |= MS_NOEXEC;
  if (current.f_flag & ST_NOATIME) flags |= MS_NOATIME;
  if (current.f_flag & ST_RELATIME) flags |= MS_RELATIME;
  return ::mount(nullptr, path.c_str(), nullptr, flags, nullptr) == 0;
}

std::string show(const std::string& path) {
  const std::string target = kNewRoot + path;
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return system_failure("stat", path);
  if (!make_mount_point(target, S_ISDIR(status.st_mode))) {
    // Already shown, as a part of a folder that is read-only by now.
    if (errno == EROFS && ::access(target.c_str(), F_OK) == 0) return {};
    return system_failure("mkdir", path);
  }
  if (::mount(path.c_str(), target.c_str(), nullptr, MS_BIND | MS_REC, nullptr) != 0) {
    return system_failure("bind", path);
  }
  if (!make_read_only(target)) return system_failure("remount", path);
  return {};
}

std::string show_device(const std::string& path) {
  const std::string target = kNewRoot + path;
  if (!make_mount_point(target, false)) return system_failure("create", path);
  if (::mount(path.c_str(), target.c_str(), nullptr, MS_BIND, nullptr) != 0) {
    return system_failure("bind", path);
  }
  return {};
}

// A path whose first folder is a link on the host (/lib -> usr/lib) gets the
// same link here and is shown where it leads to.
std::string show_through_link(const std::string& path) {
  const std::string top = path.substr(0, path.find('/', 1));
  char target[256];
  const ssize_t size = ::readlink(top.c_str(), target, sizeof target - 1);
  if (size <= 0) return show(path);
  target[size] = '\0';
  if (::symlink(target, (kNewRoot + top).c_str()) != 0 && errno != EEXIST) {
    return system_failure("symlink", top);
  }
  std::string real(target);
  if (!real.starts_with('/')) real.insert(0, 1, '/');
  real += path.substr(top.size());
  return ::access(real.c_str(), F_OK) == 0 ? show(real) : std::string();
}

std::string mount_scratch(const std::string& folder, std::uint64_t bytes) {
  const std::string options = "mode=1777,nr_inodes=16384,size=" + std::to_string(bytes);
  if (::mount("scratch", folder.c_str(), "tmpfs", kInert | MS_NOEXEC, options.c_str()) != 0) {
    return system_failure("mount tmpfs", folder);
  }
  return {};
}

std::string enter_root() {
  // The old root ends up mounted over the new one and is taken away from there.
  if (::chdir(kNewRoot.c_str()) != 0) return system_failure("chdir", kNewRoot);
  if (::syscall(SYS_pivot_root, ".", ".") != 0) return system_failure("pivot_root");
  if (::umount2(".", MNT_DETACH) != 0) return system_failure("umount", "old root");
  if (::chdir("/") != 0) return system_failure("chdir", "/");
  return {};
}

bool is_empty_folder(const char* path) {
  DIR* folder = ::opendir(path);
  if (folder == nullptr) return false;
  int entries = 0;
  while (::readdir(folder) != nullptr && entries <= 2) ++entries;
  ::closedir(folder);
  return entries == 2;  // "." and ".."
}

bool is_pristine(const char* path) {
  struct stat status {};
  return ::stat(path, &status) == 0 && (status.st_mode & 07777) == 01777 && is_empty_folder(path);
}

}  // namespace

std::string build_root(const std::vector<std::string>& paths, std::uint64_t scratch_bytes) {
  if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) {
    return system_failure("make mounts private");
  }
  if (::mount("root", kNewRoot.c_str(), "tmpfs", kInert, "mode=0755,size=1m") != 0) {
    return system_failure("mount tmpfs", kNewRoot);
  }
  for (const std::string& path : paths) {
    if (std::string failure = show_through_link(path); !failure.empty()) return failure;
  }
  for (const char* device :
       {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"}) {
    if (std::string failure = show_device(device); !failure.empty()) return failure;
  }
  // Named semaphores and shared memory live in the scratch folder as well.
  if (::symlink("../tmp", (kNewRoot + "/dev/shm").c_str()) != 0) return system_failure("symlink");
  const std::string scratch = kNewRoot + "/tmp";
  if (::mkdir(scratch.c_str(), kFolderMode) != 0 && errno != EEXIST) {
    return system_failure("mkdir", "/tmp");
  }
  if (std::string failure = mount_scratch(scratch, scratch_bytes); !failure.empty()) {
    return failure;
  }
  if (::mount(nullptr, kNewRoot.c_str(), nullptr, MS_BIND | MS_REMOUNT | MS_RDONLY | kInert,
              nullptr) != 0) {
    return system_failure("remount root");
  }
  return enter_root();
}

std::string renew_scratch(Jail& jail, std::uint64_t scratch_bytes) {
  if (jail.mounted_scratch_bytes == scratch_bytes && is_pristine("/tmp")) return {};
  if (::umount2("/tmp", MNT_DETACH) != 0) return system_failure("umount", "/tmp");
  jail.mounted_scratch_bytes = scratch_bytes;
  return mount_scratch("/tmp", scratch_bytes);
}

}  // namespace fbt::sandbox::runner
