#include "harness/run/thread_split.h"

#include <gtest/gtest.h>

namespace fbt::run {
namespace {

TEST(ThreadSplit, LeavesTheModelMostCores) {
  const struct {
    int cores;
    bool cpu;
    bool code;
    int asked;
    int model;
    int sandbox;
  } cases[] = {
      {1, true, true, 0, 1, 1},    {2, true, true, 0, 2, 1},   {4, true, true, 0, 3, 1},
      {16, true, true, 0, 14, 2},  {64, true, true, 0, 56, 8}, {64, true, false, 0, 64, 8},
      {16, true, true, 16, 16, 2}, {16, true, false, 3, 3, 2}, {16, false, true, 0, 16, 16},
      {0, true, true, 0, 1, 1},  // the system does not say
  };
  for (const auto& one : cases) {
    const ThreadSplit split = split_threads(one.cores, one.cpu, one.code, one.asked);
    EXPECT_EQ(split.model, one.model) << one.cores << " cores, " << one.code;
    EXPECT_EQ(split.sandbox, one.sandbox) << one.cores << " cores, " << one.code;
  }
}

}  // namespace
}  // namespace fbt::run
