#pragma once

// The processes around one program.
//
//   server ─┬─ init     first process of a fresh PID namespace (tier 1)
//           └─ program  second process of that namespace ── whatever it starts
//
// When the init goes, the kernel kills everything in its namespace, daemons
// included. The program itself is never the first process there, which could
// ignore signals. The init shares the server's memory and only sleeps, so that
// one copy of the interpreter's page tables is made a program and not two.

#include <string>
#include <string_view>

#include <sys/resource.h>
#include <sys/types.h>

#include "sandbox/descriptor.h"
#include "sandbox/runner/jail.h"
#include "sandbox/runner/oom_killer.h"
#include "sandbox/runner/report.h"
#include "sandbox/wire.h"

namespace fbt::sandbox::runner {

struct ProgramTask {
  const Jail& jail;
  const OomKiller& oom_killer;
  const wire::Request& limits;
  std::string_view source;
  const char* mark;  // kMarkBytes of secret, copied into the report at the end
  int stdin_fd;
  int output_fd;
  ProgramReport& report;  // shared with the server
};

struct ProgramEnd {
  int wait_status = 0;
  rusage usage{};  // of the program and the children it waited for
};

class ProgramProcess {
 public:
  // Forks. Where that fails, failure() says why and nothing runs.
  explicit ProgramProcess(const ProgramTask& task);
  ProgramProcess(const ProgramProcess&) = delete;
  ProgramProcess& operator=(const ProgramProcess&) = delete;

  const std::string& failure() const { return failure_; }

  // Readable once the program has ended.
  int ended_fd() const { return program_fd_.number(); }
  void kill() const;
  // Waits for the program, then ends all that it started. Call once.
  ProgramEnd wait();

 private:
  bool start_init();

  pid_t init_ = -1;
  pid_t program_ = -1;
  Descriptor program_fd_;
  std::string failure_;
};

}  // namespace fbt::sandbox::runner
