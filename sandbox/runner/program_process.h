#pragma once

// The two processes around one program.
//
//   server ── init ── program ── whatever the program starts
//
// In tier 1 the init is the first process of a fresh PID namespace: when it
// goes, the kernel kills everything the program started, daemons included. The
// program itself is never the first process, which could ignore signals.

#include <string_view>

#include "sandbox/runner/jail.h"
#include "sandbox/runner/report.h"
#include "sandbox/wire.h"

namespace fbt::sandbox::runner {

struct ProgramTask {
  const Jail& jail;
  const wire::Request& limits;
  std::string_view source;
  const char* mark;  // kMarkBytes of secret, copied into the report at the end
  int stdin_fd;
  int output_fd;
  ProgramReport* report;  // shared with the server
  InitReport* init;       // shared with the server
};

// Forks the init, which forks the program. Returns the init's process id, or -1.
pid_t start_program(const ProgramTask& task);

}  // namespace fbt::sandbox::runner
