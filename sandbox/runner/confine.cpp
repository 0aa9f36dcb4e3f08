// What a program's own process gives up before it reads a byte of the program.

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <string>

#include <grp.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox/runner/io.h"
#include "sandbox/runner/jail.h"

namespace fbt::sandbox::runner {
namespace {

ProgramReport* g_report = nullptr;

// The kernel did not do what the program asked for; say which call it was and die.
void on_forbidden_call(int, siginfo_t* info, void*) {
  g_report->forbidden_syscall = info->si_syscall + 1;
  ::syscall(SYS_kill, ::syscall(SYS_getpid), SIGKILL);
}

bool limit(__rlimit_resource resource, rlim_t value) {
  rlimit current{};
  ::getrlimit(resource, &current);
  value = std::min(value, current.rlim_max);
  const rlimit wanted{value, value};
  return ::setrlimit(resource, &wanted) == 0;
}

bool set_limits(const Jail& jail, const wire::Request& limits) {
  const auto cpu_seconds = static_cast<rlim_t>(std::ceil(limits.wall_seconds));
  // SIGXCPU first; a program that ignores it is killed a second later.
  const rlimit cpu{cpu_seconds, cpu_seconds + 1};
  bool done = ::setrlimit(RLIMIT_CPU, &cpu) == 0 && limit(RLIMIT_AS, limits.memory_bytes) &&
              limit(RLIMIT_FSIZE, limits.scratch_bytes) && limit(RLIMIT_NOFILE, 256) &&
              limit(RLIMIT_CORE, 0) && limit(RLIMIT_MEMLOCK, 0) && limit(RLIMIT_MSGQUEUE, 0);
  // The limit counts all processes of a user, so it means something only where
  // programs have a user (or user namespace) of their own; elsewhere (tier 2
  // without root) the filter lets a program start threads alone.
  if (jail.tier == 1 || jail.change_identity) {
    done = done && limit(RLIMIT_NPROC, limits.processes);
  }
  return done;
}

std::string drop_privileges(const Jail& jail) {
  if (jail.change_identity &&
      (::setgroups(0, nullptr) != 0 || ::setresgid(kNobody, kNobody, kNobody) != 0 ||
       ::setresuid(kNobody, kNobody, kNobody) != 0)) {
    return system_failure("setresuid");
  }
  ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct none[2]{};
  if (::syscall(SYS_capset, &header, none) != 0) return system_failure("capset");
  // Changing the user has cleared it.
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return system_failure("PR_SET_PDEATHSIG");
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return system_failure("no_new_privs");
  return {};
}

bool load_filter(const sock_filter* filter, std::size_t size) {
  const sock_fprog program{static_cast<unsigned short>(size), const_cast<sock_filter*>(filter)};
  return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

// Without a PID namespace, signals could reach the host's processes of the same
// user: only this process may be their target.
bool load_own_signals_filter() {
  const auto self = static_cast<std::uint32_t>(::getpid());
  constexpr std::uint32_t kNumber = offsetof(seccomp_data, nr);
  constexpr std::uint32_t kFirstArgument = offsetof(seccomp_data, args);  // little-endian: low half
  const sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, kNumber),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_kill, 1, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_tgkill, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, kFirstArgument),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, self, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  return load_filter(filter, std::size(filter));
}

}  // namespace

std::string confine(const Jail& jail, const wire::Request& limits, ProgramReport& report) {
  ::umask(022);
  if (!set_limits(jail, limits)) return system_failure("setrlimit");
  if (std::string failure = drop_privileges(jail); !failure.empty()) return failure;
  if (jail.landlock_ruleset >= 0) {
    if (::syscall(SYS_landlock_restrict_self, jail.landlock_ruleset, 0) != 0) {
      return system_failure("landlock_restrict_self");
    }
    ::close(jail.landlock_ruleset);
  }
  g_report = &report;
  struct sigaction forbidden {};
  forbidden.sa_sigaction = on_forbidden_call;
  forbidden.sa_flags = SA_SIGINFO | SA_ONSTACK;
  if (::sigaction(SIGSYS, &forbidden, nullptr) != 0) return system_failure("sigaction");
  if (jail.filter.empty()) return {};
  if (jail.tier != 1 && !load_own_signals_filter()) return system_failure("seccomp");
  if (!load_filter(jail.filter.data(), jail.filter.size())) return system_failure("seccomp");
  return {};
}

}  // namespace fbt::sandbox::runner
