#pragma once

// One worker process, seen from the pool.

#include <filesystem>
#include <optional>

#include "sandbox/descriptor.h"
#include "sandbox/pool.h"
#include "sandbox/supervisor_process.h"
#include "sandbox/wire.h"

namespace fbt::sandbox {

class Worker {
 public:
  // Starts the process and waits until it has built its jail or found that it
  // cannot (hello().tier is 0 then, and it has gone again). The process ends with
  // the calling thread, however that ends. Throws EnvironmentError if the
  // interpreter cannot be started or does not answer.
  explicit Worker(const Options& options);

  // Ends the process with all it runs, and waits until it has cleaned up.
  ~Worker() = default;
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  const wire::Hello& hello() const { return hello_; }

  // Runs one program. Nothing if the worker broke; it is of no use then.
  std::optional<Verdict> run(const Program& program, const Limits& limits);

  // Any thread, while another is in run(): makes that call return nothing.
  void interrupt();

 private:
  bool wait_readable(double seconds) const;

  std::optional<SupervisorProcess> supervisor_;
  Descriptor socket_;  // goes before supervisor_
  wire::Hello hello_{};
};

// The interpreter that `options` means.
std::filesystem::path interpreter(const Options& options);

}  // namespace fbt::sandbox
