#include "sandbox/runner/server.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include "sandbox/program.h"
#include "sandbox/runner/classify.h"
#include "sandbox/runner/io.h"
#include "sandbox/runner/program_process.h"

namespace fbt::sandbox::runner {
namespace {

using Clock = std::chrono::steady_clock;

ProgramReport* shared_report() {
  void* page = ::mmap(nullptr, sizeof(ProgramReport), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) ::_exit(1);
  return static_cast<ProgramReport*>(page);
}

class Server {
 public:
  Server(Jail& jail, const OomKiller& oom_killer)
      : jail_(jail), oom_killer_(oom_killer), null_fd_(::open("/dev/null", O_RDONLY | O_CLOEXEC)) {}

  // False when the pool has gone.
  bool serve_one();

 private:
  Outcome run(const wire::Request& limits, std::string_view source, int stdin_fd);
  void watch(const ProgramProcess& program, int output, const wire::Request& limits,
             Clock::time_point start, Outcome& outcome) const;
  bool reply(const Outcome& outcome) const;

  Jail& jail_;
  const OomKiller& oom_killer_;
  const int null_fd_;
  ProgramReport* const report_ = shared_report();
};

// Reads what is there. False at the end of the pipe.
bool take_output(int fd, const wire::Request& limits, Outcome& outcome) {
  char piece[64 << 10];
  for (;;) {
    const ssize_t got = ::read(fd, piece, sizeof piece);
    if (got <= 0) return got < 0;
    const auto size = static_cast<std::size_t>(got);
    outcome.output.append(piece, std::min(size, kKeptOutputBytes - outcome.output.size()));
    outcome.output_bytes += size;
    if (outcome.output_bytes <= limits.output_bytes) continue;
    if (outcome.stop == Outcome::Stop::kNone) outcome.stop = Outcome::Stop::kOutput;
    return true;
  }
}

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
  if (jail_.tier == 1) outcome.fault = renew_scratch(jail_, limits.scratch_bytes);
  int pipe[2];
  char mark[kMarkBytes];
  if (::pipe2(pipe, O_CLOEXEC) != 0 || ::getrandom(mark, sizeof mark, 0) != sizeof mark) {
    outcome.fault = system_failure("pipe");
  }
  if (!outcome.fault.empty()) return outcome;
  const Descriptor output(pipe[0]);
  Descriptor program_output(pipe[1]);
  ::fcntl(output.number(), F_SETFL, O_NONBLOCK);
  std::memset(static_cast<void*>(report_), 0, sizeof *report_);
  const long kills_before = oom_killer_.kills();

  const Clock::time_point start = Clock::now();
  ProgramProcess program(
      {jail_, oom_killer_, limits, source, mark, stdin_fd, program_output.number(), *report_});
  program_output = Descriptor();
  outcome.fault = program.failure();
  if (!outcome.fault.empty()) return outcome;
  watch(program, output.number(), limits, start, outcome);
  const ProgramEnd end = program.wait();
  take_output(output.number(), limits, outcome);
  outcome.wall_seconds = std::chrono::duration<double>(Clock::now() - start).count();
  outcome.cpu_limit_seconds = std::ceil(limits.wall_seconds);
  outcome.oom_killed = oom_killer_.kills() > kills_before;
  classify(*report_, end, mark, outcome);
  return outcome;
}

// Until the program has ended or has been stopped.
void Server::watch(const ProgramProcess& program, int output, const wire::Request& limits,
                   Clock::time_point start, Outcome& outcome) const {
  const auto deadline = start + std::chrono::duration<double>(limits.wall_seconds);
  pollfd waiting[] = {
      {program.ended_fd(), POLLIN, 0}, {wire::kControlFd, POLLRDHUP, 0}, {output, POLLIN, 0}};
  while (outcome.stop == Outcome::Stop::kNone) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    const int ready =
        ::poll(waiting, std::size(waiting), static_cast<int>(std::max<long>(left.count(), 0)));
    if (ready < 0 && errno != EINTR) ::_exit(1);
    if (waiting[1].revents != 0) ::_exit(0);  // the pool has gone, and takes all with it
    if (waiting[0].revents != 0) return;
    if (ready == 0) outcome.stop = Outcome::Stop::kTime;
    // A program that has closed its output needs no more watching there.
    if (waiting[2].revents != 0 && !take_output(output, limits, outcome)) waiting[2].fd = -1;
  }
  program.kill();
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
  // In one piece, so that the pool wakes once.
  std::string message(reinterpret_cast<const char*>(&reply), sizeof reply);
  message += detail;
  message += outcome.output;
  return write_all(wire::kControlFd, message.data(), message.size());
}

}  // namespace

void serve_requests(Jail& jail, const OomKiller& oom_killer) {
  Server server(jail, oom_killer);
  while (server.serve_one()) {
  }
  ::_exit(0);
}

}  // namespace fbt::sandbox::runner
