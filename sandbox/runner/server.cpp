#include "sandbox/runner/server.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/program.h"
#include "sandbox/runner/classify.h"
#include "sandbox/runner/io.h"
#include "sandbox/runner/program_process.h"

namespace fbt::sandbox::runner {
namespace {

using Clock = std::chrono::steady_clock;

// How long the kernel may take to end processes that were sent SIGKILL.
constexpr std::chrono::seconds kDyingTime{20};

template <typename T>
T* shared_page() {
  void* page =
      ::mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) ::_exit(1);
  return static_cast<T*>(page);
}

// "oom_kill N" of memory.oom_control or memory.events.
long oom_kills(int fd) {
  char text[512];
  const ssize_t size = fd < 0 ? 0 : ::pread(fd, text, sizeof text - 1, 0);
  if (size <= 0) return 0;
  text[size] = '\0';
  const char* found = std::strstr(text, "oom_kill ");
  return found == nullptr ? 0 : std::atol(found + std::strlen("oom_kill "));
}

class Server {
 public:
  Server(Jail& jail, int oom_fd)
      : jail_(jail), oom_fd_(oom_fd), null_fd_(::open("/dev/null", O_RDONLY | O_CLOEXEC)) {}

  // False when the pool has gone.
  bool serve_one();

 private:
  Outcome run(const wire::Request& limits, std::string_view source, int stdin_fd);
  void watch(pid_t init, int output, const wire::Request& limits, Clock::time_point start,
             Outcome& outcome);
  void kill_program(pid_t init) const;
  bool reply(const Outcome& outcome) const;

  Jail& jail_;
  const int oom_fd_;
  const int null_fd_;
  ProgramReport* const report_ = shared_page<ProgramReport>();
  InitReport* const init_ = shared_page<InitReport>();
};

int descriptor_with(const std::string& text) {
  const int fd = ::memfd_create("stdin", MFD_CLOEXEC);
  if (fd >= 0 && write_all(fd, text.data(), text.size())) ::lseek(fd, 0, SEEK_SET);
  return fd;
}

bool Server::serve_one() {
  wire::Request request{};
  std::string source;
  std::string stdin_text;
  if (!read_all(wire::kControlFd, &request, sizeof request) ||
      !read_string(wire::kControlFd, request.source_bytes, source) ||
      !read_string(wire::kControlFd, request.stdin_bytes, stdin_text)) {
    return false;
  }
  const int stdin_fd = stdin_text.empty() ? null_fd_ : descriptor_with(stdin_text);
  const Outcome outcome = run(request, source, stdin_fd);
  if (stdin_fd != null_fd_) ::close(stdin_fd);
  return reply(outcome);
}

Outcome Server::run(const wire::Request& limits, std::string_view source, int stdin_fd) {
  Outcome outcome;
  if (jail_.tier == 1) {
    outcome.fault = renew_scratch(jail_, limits.scratch_bytes);
    if (!outcome.fault.empty()) return outcome;
  }
  int output[2];
  char mark[kMarkBytes];
  if (::pipe2(output, O_CLOEXEC) != 0 || ::getrandom(mark, sizeof mark, 0) != sizeof mark) {
    outcome.fault = system_failure("pipe");
    return outcome;
  }
  ::fcntl(output[0], F_SETFL, O_NONBLOCK);
  std::memset(static_cast<void*>(report_), 0, sizeof *report_);
  std::memset(static_cast<void*>(init_), 0, sizeof *init_);
  const long kills_before = oom_kills(oom_fd_);
  const Clock::time_point start = Clock::now();
  const pid_t init =
      start_program({jail_, limits, source, mark, stdin_fd, output[1], report_, init_});
  if (init < 0) outcome.fault = system_failure("fork");
  ::close(output[1]);
  if (init > 0) {
    watch(init, output[0], limits, start, outcome);
    ::waitpid(init, nullptr, 0);
  }
  ::close(output[0]);
  outcome.wall_seconds = std::chrono::duration<double>(Clock::now() - start).count();
  outcome.cpu_limit_seconds = std::ceil(limits.wall_seconds);
  outcome.oom_killed = oom_kills(oom_fd_) > kills_before;
  if (outcome.fault.empty()) classify(*report_, *init_, mark, outcome);
  return outcome;
}

void Server::kill_program(pid_t init) const {
  // Tier 1: the namespace dies with its init. Elsewhere the program is alone,
  // and the init reports its end and leaves.
  if (jail_.tier == 1) {
    ::kill(init, SIGKILL);
  } else if (init_->program > 0) {
    ::kill(init_->program, SIGKILL);
  }
}

// Until the last process that holds the pipe has gone: the init holds it to the
// end, whatever the program does to its own descriptors.
void Server::watch(pid_t init, int output, const wire::Request& limits, Clock::time_point start,
                   Outcome& outcome) {
  const auto wall = std::chrono::duration_cast<Clock::duration>(
      std::chrono::duration<double>(limits.wall_seconds));
  Clock::time_point deadline = start + wall;
  std::uint64_t total = 0;
  char piece[64 << 10];
  const auto stop = [&](Outcome::Stop why) {
    if (outcome.stop == Outcome::Stop::kNone) outcome.stop = why;
    deadline = Clock::now() + kDyingTime;
    kill_program(init);
  };
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    pollfd waiting[2] = {{output, POLLIN, 0}, {wire::kControlFd, POLLRDHUP, 0}};
    const int ready = ::poll(waiting, 2, static_cast<int>(std::max<long>(left.count(), 0)));
    if (ready < 0 && errno != EINTR) ::_exit(1);
    if (waiting[1].revents != 0) ::_exit(0);  // the pool has gone, and takes all with it
    if (ready == 0 && outcome.stop != Outcome::Stop::kNone) ::_exit(1);  // does not die: give up
    if (ready == 0) stop(Outcome::Stop::kTime);
    if (waiting[0].revents == 0) continue;
    const ssize_t got = ::read(output, piece, sizeof piece);
    if (got == 0) return;
    if (got < 0) continue;
    const std::size_t kept =
        std::min(static_cast<std::size_t>(got), kKeptOutputBytes - outcome.output.size());
    outcome.output.append(piece, kept);
    total += static_cast<std::uint64_t>(got);
    if (total > limits.output_bytes && outcome.stop == Outcome::Stop::kNone) {
      stop(Outcome::Stop::kOutput);
    }
  }
}

bool Server::reply(const Outcome& outcome) const {
  wire::Reply reply{};
  reply.kind = static_cast<std::int32_t>(outcome.kind);
  reply.signal = outcome.signal;
  reply.system_call = outcome.system_call;
  reply.wall_seconds = outcome.wall_seconds;
  reply.cpu_seconds = outcome.cpu_seconds;
  const std::string& detail = outcome.fault.empty() ? outcome.detail : outcome.fault;
  reply.detail_bytes = detail.size();
  reply.output_bytes = outcome.output.size();
  return write_all(wire::kControlFd, &reply, sizeof reply) &&
         write_all(wire::kControlFd, detail.data(), detail.size()) &&
         write_all(wire::kControlFd, outcome.output.data(), outcome.output.size());
}

}  // namespace

void serve_requests(Jail& jail, int oom_fd) {
  Server server(jail, oom_fd);
  while (server.serve_one()) {
  }
  ::_exit(0);
}

}  // namespace fbt::sandbox::runner
