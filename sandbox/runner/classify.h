#pragma once

// From what was seen of a program's end to its verdict.

#include <cstdint>
#include <string>

#include "sandbox/program.h"
#include "sandbox/runner/program_process.h"
#include "sandbox/runner/report.h"

namespace fbt::sandbox::runner {

struct Outcome {
  enum class Stop { kNone, kTime, kOutput };

  // Seen by the server.
  Stop stop = Stop::kNone;         // why the server stopped it
  std::uint64_t output_bytes = 0;  // written, kept or not
  bool oom_killed = false;         // the memory cgroup killed one of its processes
  double cpu_limit_seconds = 0;
  double wall_seconds = 0;
  std::string output;  // its first kKeptOutputBytes
  std::string fault;   // what went wrong with us

  // Concluded.
  VerdictKind kind = VerdictKind::kHarnessFault;
  std::string detail;
  int signal = 0;
  int system_call = -1;  // kForbiddenSyscall: which, where that is known
  double cpu_seconds = 0;
};

// Passed only where the report holds the mark, the process that ran the program
// left of itself with status 0, and nobody had to stop it.
void classify(const ProgramReport& report, const ProgramEnd& end, const char* mark,
              Outcome& outcome);

}  // namespace fbt::sandbox::runner
