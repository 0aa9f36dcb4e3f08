#include "sandbox/runner/program_process.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>

#include <linux/sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/runner/io.h"
#include "sandbox/runner/python.h"

namespace fbt::sandbox::runner {
namespace {

// Leaves standard input, output and error, and nothing else.
bool redirect(const ProgramTask& task) {
  return ::dup2(task.stdin_fd, 0) == 0 && ::dup2(task.output_fd, 1) == 1 &&
         ::dup2(task.output_fd, 2) == 2;
}

void close_others(int keep) {
  const auto close_range = [](unsigned first, unsigned last) {
    if (first > last || ::syscall(SYS_close_range, first, last, 0) == 0) return;
    for (unsigned fd = first; fd <= std::min(last, 1023U); ++fd) ::close(static_cast<int>(fd));
  };
  if (keep < 3) return close_range(3, ~0U);
  close_range(3, static_cast<unsigned>(keep) - 1);
  close_range(static_cast<unsigned>(keep) + 1, ~0U);
}

[[noreturn]] void be_program(const ProgramTask& task) {
  ProgramReport& report = *task.report;
  python_after_fork_in_child();
  ::munmap(task.init, sizeof(InitReport));
  const pid_t self = ::getpid();
  ::setsid();
  std::string failure;
  if (!redirect(task)) failure = system_failure("dup2");
  close_others(task.jail.landlock_ruleset);
  if (::chdir(task.jail.tier == 1 ? "/tmp" : "/") != 0) failure = system_failure("chdir");
  if (failure.empty()) failure = confine(task.jail, task.limits, report);
  if (!failure.empty()) {
    std::strncpy(report.detail, failure.c_str(), sizeof report.detail - 1);
    ::_exit(1);
  }
  const bool ended = run_python(task.source, report);
  // A process that the program forked comes here too; it proves nothing.
  if (::getpid() != self || ::syscall(SYS_gettid) != self) ::_exit(1);
  if (!ended) ::_exit(1);
  std::memcpy(report.mark, task.mark, kMarkBytes);
  report.stage = Stage::kEnded;
  ::_exit(0);
}

[[noreturn]] void be_init(const ProgramTask& task) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const pid_t program = ::fork();
  if (program == 0) be_program(task);
  if (program < 0) ::_exit(1);
  task.init->program = program;
  // Everything whose parent has gone becomes a child of the init.
  for (;;) {
    int status = 0;
    rusage usage{};
    const pid_t child = ::wait4(-1, &status, 0, &usage);
    if (child < 0 && errno != EINTR) ::_exit(1);
    if (child != program) continue;
    task.init->wait_status = status;
    task.init->usage = usage;
    task.init->reaped = 1;
    ::_exit(0);
  }
}

pid_t fork_into_new_pid_namespace() {
  return static_cast<pid_t>(
      ::syscall(SYS_clone, CLONE_NEWPID | SIGCHLD, nullptr, nullptr, nullptr, nullptr));
}

}  // namespace

pid_t start_program(const ProgramTask& task) {
  python_before_fork();
  const pid_t init = task.jail.tier == 1 ? fork_into_new_pid_namespace() : ::fork();
  if (init == 0) be_init(task);
  python_after_fork_in_parent();
  return init;
}

}  // namespace fbt::sandbox::runner
