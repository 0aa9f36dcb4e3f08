#pragma once

// What the process that runs a program tells the server: memory that both share,
// there being no descriptor that a program could find, close or write to.

#include <cstddef>
#include <cstdint>

namespace fbt::sandbox::runner {

enum class Stage : std::int32_t {
  kJail,       // confining itself
  kCompiling,  // reading the source
  kRunning,
  kRaised,  // an exception left the program
  kEnded,   // the program's last statement was executed
};

inline constexpr std::size_t kMarkBytes = 16;

// Nothing in it is trusted beyond what the server can check, since a program
// with native code (ctypes) shares its memory.
struct ProgramReport {
  volatile Stage stage;
  volatile std::int32_t exception_kind;     // VerdictKind
  volatile std::int32_t forbidden_syscall;  // number + 1 of the call that was trapped; 0: none
  char mark[kMarkBytes];                    // the secret, once the program has ended
  char detail[1024];                        // NUL-terminated
};

}  // namespace fbt::sandbox::runner
