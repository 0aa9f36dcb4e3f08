#include "sandbox/filter.h"

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>

#include <fcntl.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <linux/sched.h>

#include "base/error.h"

namespace fbt::sandbox {
namespace {

// Needed by programs in any jail.
constexpr const char* kAllowed[] = {
    // memory
    "brk", "madvise", "membarrier", "mincore", "mmap", "mprotect", "mremap", "msync", "munmap",
    "mlock", "munlock",
    // files and folders
    "access", "chdir", "close", "close_range", "copy_file_range", "creat", "dup", "dup2", "dup3",
    "faccessat", "faccessat2", "fadvise64", "fallocate", "fchdir", "fdatasync", "flock", "fstat",
    "fstatfs", "fsync", "ftruncate", "getcwd", "getdents", "getdents64", "link", "linkat", "lseek",
    "lstat", "mkdir", "mkdirat", "newfstatat", "open", "openat", "pread64", "preadv", "preadv2",
    "pwrite64", "pwritev", "pwritev2", "read", "readlink", "readlinkat", "readv", "rename",
    "renameat", "renameat2", "rmdir", "sendfile", "stat", "statfs", "statx", "symlink", "symlinkat",
    "umask", "unlink", "unlinkat", "write", "writev",
    // pipes, events, and the two ends of a socketpair
    "epoll_create", "epoll_create1", "epoll_ctl", "epoll_pwait", "epoll_pwait2", "epoll_wait",
    "eventfd", "eventfd2", "getpeername", "getsockname", "getsockopt", "inotify_add_watch",
    "inotify_init", "inotify_init1", "inotify_rm_watch", "pipe", "pipe2", "poll", "ppoll",
    "pselect6", "recvfrom", "recvmmsg", "recvmsg", "select", "sendmmsg", "sendmsg", "sendto",
    "setsockopt", "shutdown", "signalfd", "signalfd4", "splice", "tee",
    // time
    "alarm", "clock_getres", "clock_gettime", "clock_nanosleep", "getitimer", "gettimeofday",
    "nanosleep", "setitimer", "time", "timer_create", "timer_delete", "timer_getoverrun",
    "timer_gettime", "timer_settime", "timerfd_create", "timerfd_gettime", "timerfd_settime",
    "times",
    // signals; kill and tgkill are narrowed further where programs share the host's processes
    "kill", "pause", "restart_syscall", "rt_sigpending", "rt_sigprocmask", "rt_sigreturn",
    "rt_sigsuspend", "rt_sigtimedwait", "sigaltstack", "tgkill",
    // processes and threads
    "arch_prctl", "capget", "execve", "execveat", "exit", "exit_group", "futex", "futex_waitv",
    "get_robust_list", "getcpu", "getegid", "geteuid", "getgid", "getgroups", "getpgid", "getpgrp",
    "getpid", "getppid", "getpriority", "getrandom", "getresgid", "getresuid", "getrlimit",
    "getrusage", "getsid", "gettid", "getuid", "rseq", "sched_get_priority_max",
    "sched_get_priority_min", "sched_getaffinity", "sched_getattr", "sched_getparam",
    "sched_getscheduler", "sched_rr_get_interval", "sched_yield", "set_robust_list",
    "set_tid_address", "setpgid", "setrlimit", "setsid", "sysinfo", "uname", "wait4", "waitid"};

// Allowed where the program has processes and files of its own.
constexpr const char* kAllowedInNamespaces[] = {"chmod",
                                                "chown",
                                                "fchmod",
                                                "fchmodat",
                                                "fchown",
                                                "fchownat",
                                                "fork",
                                                "futimesat",
                                                "lchown",
                                                "mknod",
                                                "mknodat",
                                                "pidfd_open",
                                                "prctl",
                                                "prlimit64",
                                                "rt_sigqueueinfo",
                                                "sched_setaffinity",
                                                "sched_setattr",
                                                "sched_setparam",
                                                "sched_setscheduler",
                                                "setpriority",
                                                "tkill",
                                                "truncate",
                                                "utime",
                                                "utimensat",
                                                "utimes",
                                                "vfork",
                                                "pidfd_send_signal"};

// Allowed elsewhere with the caller itself (0) as the first argument.
constexpr const char* kAllowedOnSelf[] = {"prlimit64", "sched_setaffinity", "sched_setattr",
                                          "sched_setparam", "sched_setscheduler"};

constexpr const char* kTrapped[] = {
    // other processes
    "kcmp", "pidfd_getfd", "process_madvise", "process_vm_readv", "process_vm_writev", "ptrace",
    // namespaces and mounts
    "chroot", "fsconfig", "fsmount", "fsopen", "fspick", "mount", "mount_setattr", "move_mount",
    "open_tree", "pivot_root", "setns", "umount", "umount2", "unshare",
    // network
    "accept", "accept4", "bind", "connect", "listen", "socket",
    // wide or young interfaces of the kernel
    "add_key", "bpf", "fanotify_init", "io_setup", "io_uring_enter", "io_uring_register",
    "io_uring_setup", "keyctl", "name_to_handle_at", "open_by_handle_at", "perf_event_open",
    "request_key", "userfaultfd",
    // the machine
    "acct", "adjtimex", "clock_adjtime", "clock_settime", "delete_module", "finit_module",
    "init_module", "ioperm", "iopl", "kexec_file_load", "kexec_load", "quotactl", "reboot",
    "setdomainname", "sethostname", "settimeofday", "swapoff", "swapon", "syslog", "vhangup"};

// New namespaces; and a child of the server's, which would be left for the server
// to wait for, and until then keep its namespace from ending.
constexpr std::uint64_t kTrappedCloneFlags[] = {CLONE_NEWNS,  CLONE_NEWUTS,   CLONE_NEWIPC,
                                                CLONE_NEWPID, CLONE_NEWNET,   CLONE_NEWUSER,
                                                CLONE_PARENT, CLONE_NEWCGROUP};

// Not those that let the kernel send signals in the caller's name (F_SETOWN, F_SETSIG).
constexpr int kFileControls[] = {
    F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD,     F_SETFD,     F_GETFL,      F_SETFL,      F_GETLK,
    F_SETLK, F_SETLKW,        F_OFD_GETLK, F_OFD_SETLK, F_OFD_SETLKW, F_GETPIPE_SZ, F_SETPIPE_SZ};

constexpr unsigned long kDeviceControls[] = {FIONREAD, FIOCLEX, FIONCLEX,
                                             FIONBIO,  TCGETS,  TIOCGWINSZ};

class FilterBuilder {
 public:
  FilterBuilder() : context_(seccomp_init(SCMP_ACT_ERRNO(ENOSYS))) {
    if (context_ == nullptr) fail("seccomp_init", ENOMEM);
    check("bad architecture",
          seccomp_attr_set(context_, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS));
    // A search tree rather than a list; an older libseccomp does without.
    seccomp_attr_set(context_, SCMP_FLTATR_CTL_OPTIMIZE, 2);
  }
  ~FilterBuilder() { seccomp_release(context_); }
  FilterBuilder(const FilterBuilder&) = delete;
  FilterBuilder& operator=(const FilterBuilder&) = delete;

  // Calls that this architecture or libseccomp does not know are passed over:
  // they get the default answer.
  void rule(std::uint32_t action, const char* name,
            std::initializer_list<scmp_arg_cmp> arguments = {}) {
    const int number = seccomp_syscall_resolve_name(name);
    if (number < 0) return;
    check(name, seccomp_rule_add_array(context_, action, number,
                                       static_cast<unsigned>(arguments.size()), arguments.begin()));
  }

  std::string bytes() {
    const int fd = ::memfd_create("seccomp", MFD_CLOEXEC);
    if (fd < 0) fail("memfd_create", errno);
    const int failed = seccomp_export_bpf(context_, fd);
    std::string program(static_cast<std::size_t>(::lseek(fd, 0, SEEK_END)), '\0');
    const ssize_t got = ::pread(fd, program.data(), program.size(), 0);
    ::close(fd);
    check("seccomp_export_bpf", failed);
    if (got != static_cast<ssize_t>(program.size())) fail("read filter", EIO);
    return program;
  }

 private:
  [[noreturn]] static void fail(const std::string& what, int reason) {
    throw EnvironmentError("cannot build the sandbox's seccomp filter: " + what + ": error " +
                           std::to_string(reason));
  }
  static void check(const char* what, int result) {
    if (result != 0) fail(what, -result);
  }

  scmp_filter_ctx context_;
};

// seccomp.h's macros for this are C, not C++.
scmp_arg_cmp argument(unsigned int index, scmp_compare comparison, std::uint64_t first,
                      std::uint64_t second = 0) {
  return {index, comparison, first, second};
}

void add_common_rules(FilterBuilder& filter) {
  for (const char* name : kAllowed) filter.rule(SCMP_ACT_ALLOW, name);
  for (const char* name : kTrapped) filter.rule(SCMP_ACT_TRAP, name);
  for (const std::uint64_t flag : kTrappedCloneFlags) {
    filter.rule(SCMP_ACT_TRAP, "clone", {argument(0, SCMP_CMP_MASKED_EQ, flag, flag)});
  }
  for (const int control : kFileControls) {
    filter.rule(SCMP_ACT_ALLOW, "fcntl",
                {argument(1, SCMP_CMP_EQ, static_cast<std::uint32_t>(control))});
  }
  for (const unsigned long control : kDeviceControls) {
    filter.rule(SCMP_ACT_ALLOW, "ioctl",
                {argument(1, SCMP_CMP_EQ, static_cast<std::uint32_t>(control))});
  }
  filter.rule(SCMP_ACT_ALLOW, "socketpair", {argument(0, SCMP_CMP_EQ, AF_UNIX)});
  filter.rule(SCMP_ACT_TRAP, "socketpair", {argument(0, SCMP_CMP_NE, AF_UNIX)});
  // SIGSYS is how trapped calls are told; the program may not take it over.
  filter.rule(SCMP_ACT_ALLOW, "rt_sigaction", {argument(0, SCMP_CMP_NE, SIGSYS)});
  filter.rule(SCMP_ACT_ERRNO(EPERM), "rt_sigaction", {argument(0, SCMP_CMP_EQ, SIGSYS)});
}

std::uint64_t all_trapped_clone_flags() {
  std::uint64_t all = 0;
  for (const std::uint64_t flag : kTrappedCloneFlags) all |= flag;
  return all;
}

}  // namespace

std::string namespace_filter() {
  FilterBuilder filter;
  add_common_rules(filter);
  for (const char* name : kAllowedInNamespaces) filter.rule(SCMP_ACT_ALLOW, name);
  // clone3 hides its flags behind a pointer; ENOSYS makes the C library use clone.
  filter.rule(SCMP_ACT_ALLOW, "clone",
              {argument(0, SCMP_CMP_MASKED_EQ, all_trapped_clone_flags(), 0)});
  return filter.bytes();
}

std::string shared_filter() {
  FilterBuilder filter;
  add_common_rules(filter);
  for (const char* name : kAllowedOnSelf) {
    filter.rule(SCMP_ACT_ALLOW, name, {argument(0, SCMP_CMP_EQ, 0)});
  }
  filter.rule(
      SCMP_ACT_ALLOW, "clone",
      {argument(0, SCMP_CMP_MASKED_EQ, all_trapped_clone_flags() | CLONE_THREAD, CLONE_THREAD)});
  // The program has to die with the process that watches it.
  filter.rule(SCMP_ACT_ALLOW, "prctl", {argument(0, SCMP_CMP_NE, PR_SET_PDEATHSIG)});
  return filter.bytes();
}

std::string system_call_name(int number) {
  char* name = seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, number);
  std::string text = name == nullptr ? std::to_string(number) : name;
  std::free(name);
  return text;
}

}  // namespace fbt::sandbox
