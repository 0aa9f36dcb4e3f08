// Nothing is left behind: not after a killed harness, not after many programs.

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/descriptor.h"
#include "tests/sandbox/support.h"

namespace fbt::sandbox {
namespace {

// A running harness_main with all of its programs started.
class Harness {
 public:
  Harness() {
    int pipe[2];
    EXPECT_EQ(::pipe2(pipe, O_CLOEXEC), 0);
    const Descriptor output(pipe[0]);
    Descriptor input(pipe[1]);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input.number(), 1);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    // Signals that whoever started the tests ignores, like nohup, must end it too.
    sigset_t all;
    ::sigfillset(&all);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    const std::string path =
        std::filesystem::read_symlink("/proc/self/exe").parent_path() / "sandbox_harness";
    char* const arguments[] = {const_cast<char*>(path.c_str()), nullptr};
    EXPECT_EQ(::posix_spawn(&id_, path.c_str(), &actions, &attributes, arguments, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    input = Descriptor();
    char started[8];
    EXPECT_EQ(::read(output.number(), started, sizeof started), 8);
    // Two workers, and a program each at least.
    EXPECT_TRUE(eventually([&] { return descendants(id_).size() >= 2 * kProcessesPerWorker + 2; }));
    processes_ = descendants(id_);
  }

  void signal(int number) const { ::kill(-id_, number); }

  int wait() const {
    int status = 0;
    ::waitpid(id_, &status, 0);
    return status;
  }

  // What its pool consisted of while it ran.
  const std::set<pid_t>& processes() const { return processes_; }

  // Whether any process of its pool still runs. One that is dead and waits for
  // a parent that never asks (the machine's init) does not count.
  bool anything_left() const {
    return std::any_of(processes_.begin(), processes_.end(), is_running);
  }

 private:
  static bool is_running(pid_t process) {
    FILE* file = std::fopen(("/proc/" + std::to_string(process) + "/stat").c_str(), "r");
    if (file == nullptr) return false;
    char state = 'Z';
    const int read = std::fscanf(file, "%*d (%*[^)]) %c", &state);
    std::fclose(file);
    return read == 1 && state != 'Z' && state != 'X';
  }

  pid_t id_ = -1;
  std::set<pid_t> processes_;
};

class EndOfHarness : public ::testing::TestWithParam<int> {};

TEST_P(EndOfHarness, TakesAllProcessesAndFilesWithIt) {
  const Harness harness;
  harness.signal(GetParam());
  EXPECT_EQ(WTERMSIG(harness.wait()), GetParam());
  EXPECT_TRUE(eventually([&] { return !harness.anything_left(); }));
  EXPECT_TRUE(eventually([&] { return cgroups_of(harness.processes()).empty(); }));
}

INSTANTIATE_TEST_SUITE_P(Signals, EndOfHarness,
                         ::testing::Values(SIGKILL, SIGINT, SIGTERM, SIGSEGV));

// The processes that have come since.
std::set<pid_t> started_since(const std::set<pid_t>& before) {
  std::set<pid_t> started;
  for (const pid_t process : descendants()) {
    if (!before.contains(process)) started.insert(process);
  }
  return started;
}

// A supervisor that is killed cannot remove its cgroups; the next one does.
TEST(Lifetime, CgroupsOfAKilledSupervisorAreRemoved) {
  const std::set<pid_t> before = descendants();
  std::set<pid_t> killed;
  Options options = test_options();
  options.workers = 1;
  {
    Pool pool(options);
    if (!pool.description().memory_cgroup) GTEST_SKIP() << "this machine lets us make no cgroups";
    killed = started_since(before);
    EXPECT_FALSE(cgroups_of(killed).empty());
    for (const pid_t process : killed) ::kill(process, SIGKILL);
  }
  { const Pool next(options); }
  EXPECT_TRUE(cgroups_of(killed).empty());
}

struct Footprint {
  std::size_t descriptors = 0;
  std::size_t mounts = 0;
  std::size_t resident = 0;
};

Footprint footprint(const std::set<pid_t>& processes) {
  Footprint sum;
  for (const pid_t process : processes) {
    sum.descriptors += open_descriptors(process);
    sum.mounts += mounts(process);
    sum.resident += resident_bytes(process);
  }
  return sum;
}

// FBT_LEAK_PROGRAMS asks for more programs than the suite has time for.
std::size_t leak_programs() {
  const char* asked = std::getenv("FBT_LEAK_PROGRAMS");
  return asked == nullptr ? 600 : std::stoul(asked);
}

TEST(Lifetime, ManyProgramsLeakNothing) {
  const std::set<pid_t> before = descendants();
  std::set<pid_t> workers;
  {
    Pool pool(test_options());
    const auto run = [&](std::size_t programs) {
      const std::string sources[] = {"print('x')",
                                     "open('/tmp/x', 'w').write('x')",
                                     "import os\nif os.fork() == 0: os.setsid()",
                                     "assert False",
                                     "def f(:",
                                     "x = [0] * 100000",
                                     "import socket; socket.socket()",
                                     "import os; os._exit(0)",
                                     "raise SystemExit",
                                     "import os; os.kill(os.getpid(), 9)"};
      for (std::size_t i = 0; i < programs; ++i) {
        pool.submit({sources[i % std::size(sources)], {}, {}}, [](Verdict&& verdict) {
          EXPECT_NE(verdict.kind, VerdictKind::kHarnessFault) << verdict.detail;
        });
      }
      pool.wait();
    };
    run(100);  // what grows once does so here
    workers = started_since(before);
    const std::size_t own_descriptors = open_descriptors(::getpid());
    const Footprint first = footprint(workers);
    const std::vector<std::string> cgroups = cgroups_of(workers);

    run(leak_programs());

    // The very same processes, so that none had to be replaced either.
    EXPECT_EQ(started_since(before), workers);
    EXPECT_EQ(open_descriptors(::getpid()), own_descriptors);
    const Footprint last = footprint(workers);
    EXPECT_EQ(last.descriptors, first.descriptors);
    EXPECT_EQ(last.mounts, first.mounts);
    EXPECT_LE(last.resident, first.resident + (1 << 20));
    EXPECT_EQ(cgroups_of(workers), cgroups);
    RecordProperty("resident_growth",
                   static_cast<int>(last.resident) - static_cast<int>(first.resident));
  }
  EXPECT_EQ(descendants(), before);
  EXPECT_TRUE(cgroups_of(workers).empty());
}

}  // namespace
}  // namespace fbt::sandbox
