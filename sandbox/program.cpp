#include "sandbox/program.h"

namespace fbt::sandbox {

std::string_view verdict_kind_name(VerdictKind kind) {
  switch (kind) {
    case VerdictKind::kPassed:
      return "passed";
    case VerdictKind::kFailed:
      return "failed";
    case VerdictKind::kSyntaxError:
      return "syntax_error";
    case VerdictKind::kTimeout:
      return "timeout";
    case VerdictKind::kMemory:
      return "memory";
    case VerdictKind::kOutput:
      return "output";
    case VerdictKind::kSignal:
      return "signal";
    case VerdictKind::kForbiddenSyscall:
      return "forbidden_syscall";
    case VerdictKind::kHarnessFault:
      return "harness_fault";
  }
  return "unknown";
}

}  // namespace fbt::sandbox
