#include "sandbox/supervisor_process.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>
// Linux has vfork; Boost's look at the feature macros misses it under _GNU_SOURCE.
#define BOOST_POSIX_HAS_VFORK 1
#include <boost/process/args.hpp>
#include <boost/process/child.hpp>
#include <boost/process/env.hpp>
#include <boost/process/environment.hpp>
#include <boost/process/error.hpp>
#include <boost/process/exe.hpp>
#include <boost/process/extend.hpp>
#include <boost/process/posix.hpp>

#include "base/error.h"
#include "sandbox/runner_image.h"
#include "sandbox/wire.h"

namespace fbt::sandbox {
namespace {

namespace bp = boost::process;

// Our descriptors are moved here first, so that giving one its number in the
// child neither overwrites another nor is a move onto itself, which would leave
// close-on-exec set.
constexpr int kOutOfTheWay = 64;

Descriptor out_of_the_way(int low) {
  Descriptor high(::fcntl(low, F_DUPFD_CLOEXEC, kOutOfTheWay));
  if (high) return high;
  throw EnvironmentError(
      fmt::format("cannot start a sandbox worker: fcntl: {}", std::strerror(errno)));
}

// Fixed, so that verdicts do not depend on the user's settings or on hash seeds.
bp::environment fixed_environment() {
  bp::environment environment;
  environment["PATH"] = "/usr/local/bin:/usr/bin:/bin";
  environment["HOME"] = "/tmp";
  environment["LANG"] = "C.UTF-8";
  environment["PYTHONHASHSEED"] = "0";
  environment["PYTHONDONTWRITEBYTECODE"] = "1";
  environment["PYTHONUTF8"] = "1";
  return environment;
}

// No signal reaches this thread while it lives: the child shares our memory
// until it has become another program, and must not run our handlers there.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_;
};

void close_on_exec_from(unsigned first) {
#ifdef CLOSE_RANGE_CLOEXEC
  if (::syscall(SYS_close_range, first, ~0U, CLOSE_RANGE_CLOEXEC) == 0) return;
#endif
  const long count = std::min(::sysconf(_SC_OPEN_MAX), 65536L);
  for (long fd = first; fd < count; ++fd) ::fcntl(static_cast<int>(fd), F_SETFD, FD_CLOEXEC);
}

// In the child, before it becomes the interpreter: system calls only.
void forget_the_harness() {
  ::setsid();
  close_on_exec_from(wire::kModuleFd + 1);
  struct sigaction at_boot {};
  at_boot.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal) ::sigaction(signal, &at_boot, nullptr);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

// Boost.Process does not wait for a child that it could not start.
void put_away(pid_t process) {
  if (process <= 0) return;
  ::kill(process, SIGKILL);
  while (::waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace

struct SupervisorProcess::Child {
  bp::child process;
};

SupervisorProcess::SupervisorProcess(const std::filesystem::path& python, const Descriptor& control,
                                     const Descriptor& module) {
  const Descriptor null(::open("/dev/null", O_RDWR | O_CLOEXEC));
  const Descriptor high_null = out_of_the_way(null.number());
  const Descriptor high_control = out_of_the_way(control.number());
  const Descriptor high_module = out_of_the_way(module.number());
  const std::vector<std::string> arguments = {
      "-s", "-c", fmt::format("MODULE_FD = {}\n{}", wire::kModuleFd, runner_launcher())};
  bp::environment environment = fixed_environment();
  std::error_code failure;
  {
    const SignalsBlocked blocked;
    child_.reset(new Child{bp::child(
        bp::exe = python.string(), bp::args = arguments, environment,
        bp::posix::fd.bind(0, high_null.number()), bp::posix::fd.bind(1, high_null.number()),
        bp::posix::fd.bind(wire::kControlFd, high_control.number()),
        bp::posix::fd.bind(wire::kModuleFd, high_module.number()),
        bp::extend::on_exec_setup = [](auto&) { forget_the_harness(); },
        bp::extend::on_error = [](auto& executor,
                                  const std::error_code&) { put_away(executor.pid); },
        bp::posix::use_vfork, failure)});
  }
  if (failure) {
    throw EnvironmentError(
        fmt::format("cannot run the Python interpreter {}: {}; install python3 or set FBT_PYTHON",
                    python.string(), failure.message()));
  }
}

SupervisorProcess::~SupervisorProcess() {
  // It ends what it runs, removes its cgroups and leaves.
  ::kill(child_->process.id(), SIGTERM);
  std::error_code gone;
  child_->process.wait(gone);
}

}  // namespace fbt::sandbox
