#include "sandbox/runner/program_process.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/runner/io.h"
#include "sandbox/runner/python.h"

namespace fbt::sandbox::runner {
namespace {

int open_process(pid_t process) {
  return static_cast<int>(::syscall(SYS_pidfd_open, process, 0));
}

// Children forked from now on are born into that process's PID namespace.
bool enter_pid_namespace_of(int process_fd) {
  return ::setns(process_fd, CLONE_NEWPID) == 0;
}

// Runs on a stack of its own in the server's memory: changes nothing there and
// calls nothing that would.
int be_init(void*) {
  ::signal(SIGCHLD, SIG_IGN);  // orphans that end are forgotten at once
  for (;;) ::syscall(SYS_ppoll, nullptr, 0, nullptr, nullptr, 0);
}

alignas(16) char g_init_stack[16 << 10];

void close_range_of_descriptors(unsigned first, unsigned last) {
  if (first > last || ::syscall(SYS_close_range, first, last, 0) == 0) return;
  for (unsigned fd = first; fd <= std::min(last, 1023U); ++fd) ::close(static_cast<int>(fd));
}

// Leaves standard input, output and error, and the Landlock ruleset until it is used.
std::string keep_standard_descriptors(const ProgramTask& task) {
  if (::dup2(task.stdin_fd, 0) != 0 || ::dup2(task.output_fd, 1) != 1 ||
      ::dup2(task.output_fd, 2) != 2) {
    return system_failure("dup2");
  }
  const int ruleset = task.jail.landlock_ruleset;
  if (ruleset < 0) {
    close_range_of_descriptors(3, ~0U);
  } else {
    close_range_of_descriptors(3, static_cast<unsigned>(ruleset) - 1);
    close_range_of_descriptors(static_cast<unsigned>(ruleset) + 1, ~0U);
  }
  return {};
}

std::string close_jail(const ProgramTask& task) {
  ::setsid();
  if (std::string failure = keep_standard_descriptors(task); !failure.empty()) return failure;
  if (::chdir(task.jail.tier == 1 ? "/tmp" : "/") != 0) return system_failure("chdir");
  return confine(task.jail, task.limits, task.report);
}

[[noreturn]] void be_program(const ProgramTask& task) {
  ProgramReport& report = task.report;
  const pid_t self = ::getpid();
  if (const std::string failure = close_jail(task); !failure.empty()) {
    std::strncpy(report.detail, failure.c_str(), sizeof report.detail - 1);
    ::_exit(1);
  }
  const bool ended = run_python(task.source, report);
  // A process that the program forked comes here too; it proves nothing.
  if (!ended || ::getpid() != self || ::syscall(SYS_gettid) != self) ::_exit(1);
  std::memcpy(report.mark, task.mark, kMarkBytes);
  report.stage = Stage::kEnded;
  ::_exit(0);
}

}  // namespace

bool ProgramProcess::start_init() {
  static const Descriptor own_namespace(open_process(::getpid()));
  // The namespace of the program before this one is gone; a new one is made
  // from our own only.
  if (!enter_pid_namespace_of(own_namespace.number())) return false;
  init_ = ::clone(be_init, g_init_stack + sizeof g_init_stack, CLONE_VM | CLONE_NEWPID | SIGCHLD,
                  nullptr);
  if (init_ < 0) return false;
  const Descriptor init_fd(open_process(init_));
  return init_fd && enter_pid_namespace_of(init_fd.number());
}

ProgramProcess::ProgramProcess(const ProgramTask& task) {
  if (task.jail.tier == 1 && !start_init()) {
    failure_ = system_failure("new PID namespace");
  } else {
    task.oom_killer.choose_children(true);
    program_ = ::fork();
    if (program_ == 0) be_program(task);
    if (program_ < 0) failure_ = system_failure("fork");
    task.oom_killer.choose_children(false);
  }
  if (program_ > 0) {
    program_fd_ = Descriptor(open_process(program_));
    if (!program_fd_) failure_ = system_failure("pidfd_open");
  }
  if (failure_.empty()) return;
  kill();
  wait();
}

void ProgramProcess::kill() const {
  if (program_ > 0) ::kill(program_, SIGKILL);
}

ProgramEnd ProgramProcess::wait() {
  ProgramEnd end;
  if (program_ > 0) ::wait4(program_, &end.wait_status, 0, &end.usage);
  if (init_ > 0) {
    // Returns when the last process of the namespace has gone.
    ::kill(init_, SIGKILL);
    ::waitpid(init_, nullptr, 0);
  }
  return end;
}

}  // namespace fbt::sandbox::runner
