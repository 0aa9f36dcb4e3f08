// The file system of tier 2: the host's, of which a program may read what
// Python needs and change nothing.

#include <cstdint>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/landlock.h>

#include "sandbox/runner/io.h"
#include "sandbox/runner/jail.h"

namespace fbt::sandbox::runner {
namespace {

// The kernel's struct as of ABI 6; older kernels are told a smaller size.
struct RulesetAttributes {
  std::uint64_t handled_access_fs;
  std::uint64_t handled_access_net;  // ABI 4: bind and connect over TCP
  std::uint64_t scoped;              // ABI 6: abstract sockets, signals
};

constexpr std::uint64_t kReadFolder =
    LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_EXECUTE;
constexpr std::uint64_t kReadFile = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_EXECUTE;
constexpr std::uint64_t kUseDevice = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE;

// Every file system right that the ABI knows; what is handled and not granted is refused.
std::uint64_t file_rights(long abi) {
  if (abi >= 5) return (1ULL << 16) - 1;
  if (abi >= 3) return (1ULL << 15) - 1;
  return abi == 2 ? (1ULL << 14) - 1 : (1ULL << 13) - 1;
}

bool allow(int ruleset, const std::string& path, std::uint64_t rights) {
  landlock_path_beneath_attr rule{};
  rule.allowed_access = rights;
  rule.parent_fd = ::open(path.c_str(), O_PATH | O_CLOEXEC);
  if (rule.parent_fd < 0) return false;
  const bool added =
      ::syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
  ::close(rule.parent_fd);
  return added;
}

bool is_folder(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

}  // namespace

int make_landlock_ruleset(const std::vector<std::string>& paths, std::string& failure) {
  const long abi =
      ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (abi < 1) {
    failure = system_failure("Landlock");
    return -1;
  }
  RulesetAttributes attributes{file_rights(abi), abi >= 4 ? 3ULL : 0, abi >= 6 ? 3ULL : 0};
  const std::size_t size = abi >= 6 ? 24 : abi >= 4 ? 16 : 8;
  const int ruleset =
      static_cast<int>(::syscall(SYS_landlock_create_ruleset, &attributes, size, 0));
  if (ruleset < 0) {
    failure = system_failure("landlock_create_ruleset");
    return -1;
  }
  bool complete = true;
  for (const std::string& path : paths) {
    complete = complete && allow(ruleset, path, is_folder(path) ? kReadFolder : kReadFile);
  }
  for (const char* device :
       {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"}) {
    complete = complete && allow(ruleset, device, kUseDevice);
  }
  if (complete) return ruleset;
  failure = system_failure("landlock_add_rule");
  ::close(ruleset);
  return -1;
}

}  // namespace fbt::sandbox::runner
