// The pool's contract: verdicts, queueing, replacement of broken workers, end.

#include "sandbox/pool.h"

#include <atomic>
#include <csignal>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/sandbox/support.h"

namespace fbt::sandbox {
namespace {

using ::testing::HasSubstr;

Pool& best_pool() {
  static Pool pool(test_options());
  return pool;
}

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
  const Limits limits =
      GetParam().kind == VerdictKind::kTimeout ? short_limits() : test_options().limits;
  const Verdict verdict = best_pool().submit({GetParam().source, {}, limits}).get();
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
      best_pool().submit({"import sys\nprint('out')\nprint('err', file=sys.stderr)", {}, {}}).get();
  EXPECT_TRUE(verdict.passed());
  EXPECT_EQ(verdict.output, "err\nout\n");  // standard error is not buffered
}

TEST(Pool, GivesStandardInput) {
  const Verdict verdict =
      best_pool()
          .submit({"assert input() == 'first'\nassert input() == 'second'", "first\nsecond\n", {}})
          .get();
  EXPECT_TRUE(verdict.passed()) << verdict.detail;
}

TEST(Pool, RunsFromSeveralThreadsWithBackPressure) {
  Options options = test_options();
  options.queue = 2;
  Pool pool(options);
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 10; ++i) {
        pool.submit({"print(" + std::to_string(100 * t + i) + ")", {}, {}},
                    [&right, t, i](Verdict&& verdict) {
                      if (verdict.output == std::to_string(100 * t + i) + "\n") ++right;
                    });
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  pool.wait();
  EXPECT_EQ(right, 40);
}

TEST(Pool, ProgramsDoNotShareAnything) {
  Options options = test_options();
  options.workers = 1;
  Pool pool(options);
  const char* first =
      "import math, random\nmath.pi = 3\nprint(random.random())\nopen('/tmp/x', 'w')";
  const Verdict one = pool.submit({first, {}, {}}).get();
  const Verdict two = pool.submit({first, {}, {}}).get();
  EXPECT_NE(one.output, two.output) << "both programs drew the same random number";
  EXPECT_TRUE(pool.submit({"import math\nassert math.pi > 3.1", {}, {}}).get().passed());
}

TEST(Pool, AProgramsOwnLimitsHold) {
  Limits limits = test_options().limits;
  limits.wall_seconds = 0.2;
  const Verdict slow = best_pool().submit({"import time; time.sleep(0.6)", {}, limits}).get();
  EXPECT_EQ(verdict_kind_name(slow.kind), "timeout");
  limits = test_options().limits;
  limits.memory_bytes = 128 << 20;
  const Verdict large = best_pool().submit({"x = bytearray(200 << 20)", {}, limits}).get();
  EXPECT_EQ(verdict_kind_name(large.kind), "memory");
  EXPECT_TRUE(best_pool().submit({"x = bytearray(200 << 20)", {}, {}}).get().passed());
}

TEST(Pool, CountsTime) {
  const Verdict busy =
      best_pool().submit({"import time\nwhile time.process_time() < 0.3: pass", {}, {}}).get();
  EXPECT_TRUE(busy.passed()) << busy.detail;
  EXPECT_GT(busy.cpu_seconds, 0.25);
  EXPECT_GE(busy.wall_seconds, 0.3);
}

TEST(Pool, KeepsTheFirst64KiBOfOutput) {
  const Verdict verdict = best_pool().submit({"print('a' * 100000)", {}, {}}).get();
  EXPECT_TRUE(verdict.passed());
  EXPECT_EQ(verdict.output, std::string(kKeptOutputBytes, 'a'));
}

std::set<pid_t> children_of_supervisors(const std::set<pid_t>& before) {
  std::set<pid_t> servers;
  for (const pid_t process : descendants()) {
    if (!before.contains(process) && descendants(process).empty()) servers.insert(process);
  }
  return servers;
}

TEST(Pool, ReplacesABrokenWorkerAndRetriesItsProgram) {
  const std::set<pid_t> before = descendants();
  Options options = test_options();
  options.workers = 1;
  Pool pool(options);
  const std::set<pid_t> first = children_of_supervisors(before);
  std::future<Verdict> verdict = pool.submit({"import time; time.sleep(0.5)", {}, {}});
  ASSERT_EQ(first.size(), 1U);
  ::kill(*first.begin(), SIGKILL);
  EXPECT_TRUE(verdict.get().passed());
  EXPECT_FALSE(descendants().contains(*first.begin()));
}

TEST(Pool, AWorkerThatBreaksTwiceIsAHarnessFault) {
  const std::set<pid_t> before = descendants();
  Options options = test_options();
  options.workers = 1;
  Pool pool(options);
  std::future<Verdict> future = pool.submit({"import time; time.sleep(20)", {}, {}});
  while (future.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready) {
    for (const pid_t process : descendants()) {
      if (!before.contains(process)) ::kill(process, SIGKILL);
    }
  }
  const Verdict verdict = future.get();
  EXPECT_EQ(verdict_kind_name(verdict.kind), "harness_fault");
  EXPECT_FALSE(verdict.detail.empty());
}

TEST(Pool, ClosingStopsWhatRuns) {
  const std::set<pid_t> before = descendants();
  std::vector<std::future<Verdict>> verdicts;
  {
    Pool pool(test_options());
    for (int i = 0; i < 5; ++i) {
      verdicts.push_back(pool.submit({"import time; time.sleep(50)", {}, {}}));
    }
  }
  for (auto& verdict : verdicts) {
    EXPECT_THAT(verdict.get().detail, HasSubstr("the pool was closed"));
  }
  EXPECT_EQ(descendants(), before);
}

TEST(Pool, SaysWhatIsMissing) {
  Options options = test_options();
  options.python = "/nonexistent/python";
  try {
    const Pool pool(options);
    FAIL() << "a pool without an interpreter";
  } catch (const EnvironmentError& error) {
    EXPECT_THAT(error.what(), HasSubstr("/nonexistent/python"));
    EXPECT_THAT(error.what(), HasSubstr("FBT_PYTHON"));
  }
  options.python = "/bin/true";
  EXPECT_THROW(Pool{options}, EnvironmentError);
}

TEST(Pool, RefusesWithoutAJail) {
  Options options = test_options(Tier::kNone);
  EXPECT_THROW(Pool{options}, EnvironmentError);
  options.unsafe = true;
  Pool pool(options);
  EXPECT_EQ(tier_name(pool.tier()), "none");
  EXPECT_TRUE(pool.submit({"assert True", {}, {}}).get().passed());
}

TEST(Pool, DescribesItself) {
  const Description& description = best_pool().description();
  EXPECT_EQ(description.tier, best_pool().tier());
  EXPECT_THAT(description.python_version, ::testing::StartsWith("3."));
}

}  // namespace
}  // namespace fbt::sandbox
