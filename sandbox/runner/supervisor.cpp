#include "sandbox/runner/supervisor.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <linux/sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/runner/cgroup.h"
#include "sandbox/runner/io.h"
#include "sandbox/runner/jail.h"
#include "sandbox/runner/oom_killer.h"
#include "sandbox/runner/python.h"
#include "sandbox/runner/server.h"
#include "sandbox/wire.h"

namespace fbt::sandbox::runner {
namespace {

// What the memory cgroup grants beyond a program's own limit and scratch: the
// server, the init and the kernel's own accounting.
constexpr std::uint64_t kMemoryMargin = 64ULL << 20;
constexpr std::uint32_t kProcessMargin = 8;

constexpr unsigned long kNamespaces =
    CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS;

class Supervisor {
 public:
  explicit Supervisor(const std::vector<std::string>& paths) : paths_(paths) {}
  [[noreturn]] void run();

 private:
  void receive_settings();
  void try_tier(int tier, unsigned long namespaces);
  std::string map_identities(pid_t server, unsigned long namespaces);
  [[noreturn]] void be_server(int tier, int go_ahead, int outcome);
  void send_hello(int tier) const;
  [[noreturn]] void wait_for_end();

  const std::vector<std::string>& paths_;
  wire::Settings settings_{};
  std::vector<sock_filter> namespace_filter_;
  std::vector<sock_filter> shared_filter_;
  std::string reasons_;  // why stronger tiers failed
  CgroupFiles cgroup_files_;
  WorkerCgroups cgroups_{cgroup_files_};
  pid_t server_ = -1;
  bool mapped_nobody_ = false;  // the user namespace knows kNobody beside ourselves
};

bool read_filter(std::uint64_t bytes, std::vector<sock_filter>& filter) {
  filter.resize(bytes / sizeof(sock_filter));
  return read_all(wire::kControlFd, filter.data(), bytes);
}

void Supervisor::receive_settings() {
  if (!read_all(wire::kControlFd, &settings_, sizeof settings_) ||
      !read_filter(settings_.namespace_filter_bytes, namespace_filter_) ||
      !read_filter(settings_.shared_filter_bytes, shared_filter_)) {
    ::_exit(1);
  }
}

void Supervisor::send_hello(int tier) const {
  wire::Hello hello{};
  hello.tier = tier;
  hello.memory_cgroup = cgroups_.has_memory();
  hello.pids_cgroup = cgroups_.has_pids();
  std::strncpy(hello.python_version, python_version().c_str(), sizeof hello.python_version - 1);
  std::strncpy(hello.reason, reasons_.c_str(), sizeof hello.reason - 1);
  write_all(wire::kControlFd, &hello, sizeof hello);
}

// As root the server stays root in its namespace and programs become nobody.
// Others may map their own user only, and it becomes nobody.
std::string Supervisor::map_identities(pid_t server, unsigned long namespaces) {
  if ((namespaces & CLONE_NEWUSER) == 0) {
    mapped_nobody_ = true;
    return {};
  }
  const std::string folder = "/proc/" + std::to_string(server);
  const std::string nobody = std::to_string(kNobody);
  const std::string two = "0 0 1\n" + nobody + " " + nobody + " 1\n";
  mapped_nobody_ = ::geteuid() == 0 && write_small_file(folder + "/gid_map", two) &&
                   write_small_file(folder + "/uid_map", two);
  if (mapped_nobody_) return {};
  const std::string user = nobody + " " + std::to_string(::geteuid()) + " 1\n";
  const std::string group = nobody + " " + std::to_string(::getegid()) + " 1\n";
  if (!write_small_file(folder + "/setgroups", "deny") ||
      !write_small_file(folder + "/gid_map", group) ||
      !write_small_file(folder + "/uid_map", user)) {
    return system_failure("map user");
  }
  return {};
}

// Runs in the forked process. Waits until it has its identity and its cgroup,
// builds the jail, says whether that worked, and serves.
void Supervisor::be_server(int tier, int go_ahead, int outcome) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  char may_map_nobody = 0;
  if (!read_all(go_ahead, &may_map_nobody, 1)) ::_exit(1);
  ::close(go_ahead);

  const OomKiller oom_killer(cgroups_.oom_file());
  Jail jail;
  jail.tier = tier;
  jail.mounted_scratch_bytes = settings_.scratch_bytes;
  jail.change_identity = tier == 1 ? may_map_nobody != 0 : ::geteuid() == 0;
  jail.filter = tier == 1 ? namespace_filter_ : shared_filter_;
  std::string failure;
  if (tier == 1) failure = build_root(paths_, settings_.scratch_bytes);
  if (tier == 2) jail.landlock_ruleset = make_landlock_ruleset(paths_, failure);
  write_all(outcome, failure.data(), failure.size());
  ::close(outcome);
  if (!failure.empty()) ::_exit(1);

  send_hello(tier);
  // What the interpreter may still print is of no use to the user.
  const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  ::dup2(null, 2);
  ::close(null);
  serve_requests(jail, oom_killer);
}

std::string read_to_end(int fd) {
  std::string text;
  for (char byte; read_all(fd, &byte, 1);) text.push_back(byte);
  return text;
}

void Supervisor::try_tier(int tier, unsigned long namespaces) {
  int go_ahead[2];
  int outcome[2];
  if (::pipe2(go_ahead, O_CLOEXEC) != 0 || ::pipe2(outcome, O_CLOEXEC) != 0) ::_exit(1);
  server_ = tier == 1 ? static_cast<pid_t>(::syscall(SYS_clone, namespaces | SIGCHLD, nullptr,
                                                     nullptr, nullptr, nullptr))
                      : ::fork();
  if (server_ == 0) {
    ::close(go_ahead[1]);
    ::close(outcome[0]);
    be_server(tier, go_ahead[0], outcome[1]);
  }
  std::string failure = server_ < 0 ? system_failure("clone") : std::string();
  ::close(go_ahead[0]);
  ::close(outcome[1]);
  if (failure.empty() && tier == 1) failure = map_identities(server_, namespaces);
  if (failure.empty() && !cgroups_.enter(server_)) failure = system_failure("enter cgroup");
  if (failure.empty()) {
    const char mapped = mapped_nobody_ ? 1 : 0;
    write_all(go_ahead[1], &mapped, 1);
    failure = read_to_end(outcome[0]);
  }
  ::close(go_ahead[1]);
  ::close(outcome[0]);
  if (failure.empty()) return;
  if (server_ > 0) ::waitpid(server_, nullptr, 0);
  server_ = -1;
  if (!reasons_.empty()) reasons_ += "; ";
  reasons_ += (tier == 1 ? "namespaces: " : tier == 2 ? "Landlock: " : "no jail: ") + failure;
}

void Supervisor::run() {
  // SIGTERM comes when the pool's thread that started us ends, however it does.
  sigset_t awaited;
  ::sigemptyset(&awaited);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGCHLD}) ::sigaddset(&awaited, signal);
  ::sigprocmask(SIG_SETMASK, &awaited, nullptr);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  receive_settings();
  if (::getppid() != settings_.harness_pid) ::_exit(1);

  cgroups_.create(
      cgroup_places(read_small_file("/proc/self/mountinfo"), read_small_file("/proc/self/cgroup")),
      settings_.memory_bytes + settings_.scratch_bytes + kMemoryMargin,
      settings_.processes + kProcessMargin);
  if (settings_.strongest_tier <= 1) try_tier(1, kNamespaces | CLONE_NEWUSER);
  if (settings_.strongest_tier <= 1 && server_ < 0 && ::geteuid() == 0) try_tier(1, kNamespaces);
  if (settings_.strongest_tier <= 2 && server_ < 0) try_tier(2, 0);
  if (settings_.allow_no_jail != 0 && server_ < 0) try_tier(3, 0);
  if (server_ < 0) {
    send_hello(0);
    cgroups_.remove();
    ::_exit(0);
  }
  // From now on the socket's other end belongs to the server alone, so that the
  // pool sees it end.
  ::close(wire::kControlFd);
  wait_for_end();
}

void Supervisor::wait_for_end() {
  sigset_t awaited;
  ::sigprocmask(SIG_SETMASK, nullptr, &awaited);
  for (;;) {
    const int signal = ::sigwaitinfo(&awaited, nullptr);
    if (signal == SIGTERM || signal == SIGHUP) ::kill(server_, SIGKILL);
    if (::waitpid(server_, nullptr, WNOHANG) != server_) continue;
    cgroups_.remove();
    ::_exit(0);
  }
}

}  // namespace

void supervise(const std::vector<std::string>& paths) {
  Supervisor(paths).run();
}

}  // namespace fbt::sandbox::runner
