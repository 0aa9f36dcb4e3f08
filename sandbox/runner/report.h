#pragma once

// What the processes around one program write into shared memory, there being
// no descriptor that a program could find, close or write to.

#include <cstddef>
#include <cstdint>

#include <sys/resource.h>
#include <sys/types.h>

namespace fbt::sandbox::runner {

enum class Stage : std::int32_t {
  kJail,       // confining itself
  kCompiling,  // reading the source
  kRunning,
  kRaised,  // an exception left the program
  kEnded,   // the program's last statement was executed
};

inline constexpr std::size_t kMarkBytes = 16;

// Written by the process that runs the program. Nothing in it is trusted beyond
// what the server can check, since a program with native code (ctypes) shares
// its memory.
struct ProgramReport {
  volatile Stage stage;
  volatile std::int32_t exception_kind;     // VerdictKind
  volatile std::int32_t forbidden_syscall;  // number + 1 of the call that was trapped; 0: none
  char mark[kMarkBytes];                    // the secret, once the program has ended
  char detail[1024];                        // NUL-terminated
};

// Written by the program's init, unmapped where the program runs.
struct InitReport {
  volatile pid_t program;  // as the init sees it
  volatile std::int32_t reaped;
  int wait_status;
  rusage usage;  // of the program and the children it waited for
};

}  // namespace fbt::sandbox::runner
