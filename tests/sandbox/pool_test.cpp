// The pool's contract: verdicts, queueing, replacement of broken workers, end.

#include "sandbox/pool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sandbox/support.h"

namespace fbt::sandbox {
namespace {

using ::testing::HasSubstr;

struct Case {
  const char* name;
  const char* source;
  VerdictKind kind;
  const char* detail;  // a part of it
};

void PrintTo(const Case& value, std::ostream* out) {
  *out << value.name;
}

class Verdicts : public ::testing::TestWithParam<Case> {};

TEST_P(Verdicts, AreRight) {
  const Verdict verdict = shared_pool().submit({GetParam().source, {}, {}}).get();
  EXPECT_EQ(verdict_kind_name(verdict.kind), verdict_kind_name(GetParam().kind)) << verdict.detail;
  EXPECT_THAT(verdict.detail, HasSubstr(GetParam().detail));
}

const Case kCases[] = {
    {"empty", "", VerdictKind::kPassed, ""},
    {"assertion_holds", "assert 1 + 1 == 2", VerdictKind::kPassed, ""},
    {"assertion_fails", "x = 1\nassert x == 2\n", VerdictKind::kFailed,
     "AssertionError (line 2: assert x == 2)"},
    {"exception", "def f(x):\n  return 1 / x\nf(0)\n", VerdictKind::kFailed,
     "ZeroDivisionError: division by zero (line 2: return 1 / x)"},
    {"name_error", "undefined", VerdictKind::kFailed, "NameError"},
    {"syntax_error", "def f(:\n", VerdictKind::kSyntaxError, "SyntaxError"},
    {"indentation", "def f():\nreturn 1\n", VerdictKind::kSyntaxError, "IndentationError"},
    {"infinite_loop", "while True: pass", VerdictKind::kTimeout, ""},
    {"sleep", "import time; time.sleep(100)", VerdictKind::kTimeout, "wall clock"},
    {"memory", "x = bytearray(8 << 30)", VerdictKind::kMemory, "MemoryError"},
    {"not_the_main_module", "assert __name__ != '__main__'", VerdictKind::kPassed, ""},
    {"output", "while True: print('x' * 1000)", VerdictKind::kOutput, ""},
    {"segmentation_fault", "import ctypes; ctypes.string_at(0)", VerdictKind::kSignal, "signal 11"},
    {"kills_itself", "import os; os.kill(os.getpid(), 9)", VerdictKind::kSignal, "signal 9"},
    {"aborts", "import os; os.abort()", VerdictKind::kSignal, "signal 6"},
    {"socket", "import socket; socket.socket()", VerdictKind::kForbiddenSyscall, "socket"},
    {"exit_0", "import sys; sys.exit(0)", VerdictKind::kFailed, "SystemExit"},
    {"quit", "quit()", VerdictKind::kFailed, "SystemExit"},
    {"os_exit", "import os; os._exit(0)", VerdictKind::kFailed, "exited with status 0"},
    {"writes_scratch", "open('/tmp/a', 'w').write('x'); assert open('/tmp/a').read() == 'x'",
     VerdictKind::kPassed, ""},
};

INSTANTIATE_TEST_SUITE_P(Pool, Verdicts, ::testing::ValuesIn(kCases),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Pool, KeepsOutput) {
  const Verdict verdict =
      shared_pool()
          .submit({"import sys\nprint('out')\nprint('err', file=sys.stderr)", {}, {}})
          .get();
  EXPECT_TRUE(verdict.passed());
  EXPECT_EQ(verdict.output, "err\nout\n");  // standard error is not buffered
}

TEST(Pool, GivesStandardInput) {
  const Verdict verdict =
      shared_pool()
          .submit({"assert input() == 'first'\nassert input() == 'second'", "first\nsecond\n", {}})
          .get();
  EXPECT_TRUE(verdict.passed()) << verdict.detail;
}

}  // namespace
}  // namespace fbt::sandbox
