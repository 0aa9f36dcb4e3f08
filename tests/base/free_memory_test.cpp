#include "base/free_memory.h"

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/file.h"
#include "tests/support/paths.h"

namespace fbt {
namespace {

struct File {
  std::string path;
  std::string content;
};

const File kMachine = {"proc/meminfo",
                       "MemTotal: 2000 kB\nMemFree: 10 kB\nMemAvailable: 1000 kB\n"};

TEST(FreeMemory, IsTheLeastOfMachineAndGroups) {
  const struct {
    const char* what;
    std::vector<File> files;
    std::optional<std::int64_t> bytes;
  } cases[] = {
      {"nothing known", {}, std::nullopt},
      {"no groups", {kMachine}, 1024000},
      {"no limit",
       {kMachine,
        {"proc/self/cgroup", "0::/job\n"},
        {"sys/fs/cgroup/job/memory.max", "max\n"},
        {"sys/fs/cgroup/job/memory.current", "5000\n"}},
       1024000},
      {"version 2, with files' pages that can go",
       {kMachine,
        {"proc/self/cgroup", "0::/job\n"},
        {"sys/fs/cgroup/job/memory.max", "9000\n"},
        {"sys/fs/cgroup/job/memory.current", "5000\n"},
        {"sys/fs/cgroup/job/memory.stat", "anon 4000\ninactive_file 1000\n"}},
       5000},
      {"version 2, a group above",
       {kMachine,
        {"proc/self/cgroup", "0::/a/job\n"},
        {"sys/fs/cgroup/a/memory.max", "7000\n"},
        {"sys/fs/cgroup/a/memory.current", "6500\n"},
        {"sys/fs/cgroup/a/job/memory.max", "9000\n"},
        {"sys/fs/cgroup/a/job/memory.current", "5000\n"}},
       500},
      {"version 1, in a container that sees its own group as the root",
       {kMachine,
        {"proc/self/cgroup", "9:memory:/docker/x\n8:pids:/docker/x\n"},
        {"sys/fs/cgroup/memory/memory.limit_in_bytes", "6000\n"},
        {"sys/fs/cgroup/memory/memory.usage_in_bytes", "2000\n"}},
       4000},
      {"a limit above the machine",
       {kMachine,
        {"proc/self/cgroup", "9:cpu,memory:/\n"},
        {"sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"},
        {"sys/fs/cgroup/memory/memory.usage_in_bytes", "2000\n"}},
       1024000},
      {"a group beyond its limit",
       {kMachine,
        {"proc/self/cgroup", "0::/\n"},
        {"sys/fs/cgroup/memory.max", "1000\n"},
        {"sys/fs/cgroup/memory.current", "5000\n"}},
       0},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE(one.what);
    const testing::TemporaryFolder folder;
    for (const File& file : one.files) {
      const std::filesystem::path path = folder.path() / file.path;
      std::filesystem::create_directories(path.parent_path());
      write_file_atomically(path, file.content);
    }
    EXPECT_EQ(free_memory(folder.path()), one.bytes);
  }
}

TEST(FreeMemory, IsKnownHere) {
  EXPECT_GT(free_memory().value_or(0), 0);
}

}  // namespace
}  // namespace fbt
