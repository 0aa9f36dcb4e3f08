#include "sandbox/worker.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/error.h"
#include "sandbox/filter.h"
#include "sandbox/runner_image.h"

namespace fbt::sandbox {
namespace {

// How long starting an interpreter, and a reply beyond the program's own time,
// may take before we hold the worker for broken. Generous: the machine may be
// busy with a model.
constexpr double kStartSeconds = 60;
constexpr double kReplySeconds = 60;

bool send_all(int fd, const void* data, std::size_t size) {
  const char* at = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t put = ::send(fd, at, size, MSG_NOSIGNAL);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    at += put;
    size -= static_cast<std::size_t>(put);
  }
  return true;
}

bool receive_all(int fd, void* data, std::size_t size) {
  char* at = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t got = ::recv(fd, at, size, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

[[noreturn]] void cannot_start(const std::string& what, int reason) {
  throw EnvironmentError(
      fmt::format("cannot start a sandbox worker: {}: {}", what, std::strerror(reason)));
}

// The extension module as a file without a name.
Descriptor module_file() {
  Descriptor file(::memfd_create("fbt_sandbox_runner", MFD_CLOEXEC));
  if (!file) cannot_start("memfd_create", errno);
  std::string_view left = runner_module();
  while (!left.empty()) {
    const ssize_t put = ::write(file.number(), left.data(), left.size());
    if (put <= 0) cannot_start("write the runner", errno);
    left.remove_prefix(static_cast<std::size_t>(put));
  }
  return file;
}

wire::Settings make_settings(const Options& options, std::size_t namespace_bytes,
                             std::size_t shared_bytes) {
  wire::Settings settings{};
  settings.harness_pid = ::getpid();
  settings.strongest_tier = static_cast<std::int32_t>(options.strongest);
  settings.allow_no_jail = options.unsafe ? 1 : 0;
  settings.processes = options.limits.processes;
  settings.memory_bytes = options.limits.memory_bytes;
  settings.scratch_bytes = options.limits.scratch_bytes;
  settings.namespace_filter_bytes = namespace_bytes;
  settings.shared_filter_bytes = shared_bytes;
  return settings;
}

wire::Request make_request(const Program& program, const Limits& limits) {
  wire::Request request{};
  request.wall_seconds = limits.wall_seconds;
  request.memory_bytes = limits.memory_bytes;
  request.output_bytes = limits.output_bytes;
  request.scratch_bytes = limits.scratch_bytes;
  request.processes = limits.processes;
  request.source_bytes = program.source.size();
  request.stdin_bytes = program.stdin_text.size();
  return request;
}

}  // namespace

std::filesystem::path interpreter(const Options& options) {
  if (!options.python.empty()) return options.python;
  if (const char* chosen = std::getenv("FBT_PYTHON"); chosen != nullptr && *chosen != '\0') {
    return chosen;
  }
  return "/usr/bin/python3";
}

Worker::Worker(const Options& options) {
  const std::filesystem::path python = interpreter(options);
  const std::string filters[] = {namespace_filter(), shared_filter()};
  int pair[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
    cannot_start("socketpair", errno);
  }
  socket_ = Descriptor(pair[0]);
  {
    const Descriptor control(pair[1]);
    supervisor_.emplace(python, control, module_file());
  }
  const wire::Settings settings = make_settings(options, filters[0].size(), filters[1].size());
  const int fd = socket_.number();
  if (!send_all(fd, &settings, sizeof settings) ||
      !send_all(fd, filters[0].data(), filters[0].size()) ||
      !send_all(fd, filters[1].data(), filters[1].size()) || !wait_readable(kStartSeconds) ||
      !receive_all(fd, &hello_, sizeof hello_)) {
    throw EnvironmentError(
        fmt::format("the Python interpreter {} did not become a sandbox worker; "
                    "it must be CPython 3.8 or newer (FBT_PYTHON chooses it)",
                    python.string()));
  }
}

bool Worker::wait_readable(double seconds) const {
  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + std::chrono::duration<double>(seconds);
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    pollfd waiting = {socket_.number(), POLLIN, 0};
    const int ready = ::poll(&waiting, 1, static_cast<int>(std::max<long>(left.count(), 0)));
    if (ready > 0) return true;
    if (ready == 0 || errno != EINTR) return false;
  }
}

std::optional<Verdict> Worker::run(const Program& program, const Limits& limits) {
  const int fd = socket_.number();
  const wire::Request request = make_request(program, limits);
  wire::Reply reply{};
  // In one piece, so that the worker wakes once.
  std::string message(reinterpret_cast<const char*>(&request), sizeof request);
  message += program.source;
  message += program.stdin_text;
  if (!send_all(fd, message.data(), message.size()) ||
      !wait_readable(limits.wall_seconds + kReplySeconds) ||
      !receive_all(fd, &reply, sizeof reply)) {
    return std::nullopt;
  }
  Verdict verdict;
  verdict.kind = static_cast<VerdictKind>(reply.kind);
  verdict.signal = reply.signal;
  verdict.wall_seconds = reply.wall_seconds;
  verdict.cpu_seconds = reply.cpu_seconds;
  verdict.detail.resize(reply.detail_bytes);
  verdict.output.resize(reply.output_bytes);
  if (!receive_all(fd, verdict.detail.data(), verdict.detail.size()) ||
      !receive_all(fd, verdict.output.data(), verdict.output.size())) {
    return std::nullopt;
  }
  if (reply.system_call >= 0) {
    verdict.detail = "system call " + system_call_name(reply.system_call);
  }
  return verdict;
}

void Worker::interrupt() {
  ::shutdown(socket_.number(), SHUT_RDWR);
}

}  // namespace fbt::sandbox
