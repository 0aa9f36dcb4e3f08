#include "harness/train/schedule.h"

#include <gtest/gtest.h>

#include <array>

#include "base/error.h"

namespace fbt::train {
namespace {

TEST(WsdSchedule, WarmsUpStaysAndCoolsToZero) {
  const WsdSchedule schedule{.steps = 20, .warmup_steps = 4, .cooldown_steps = 5};
  const struct {
    std::int64_t step;
    double factor;
  } cases[] = {{0, 0.25}, {1, 0.5},  {3, 1},    {4, 1},    {14, 1},
               {15, 1},   {16, 0.8}, {17, 0.6}, {19, 0.2}, {20, 0}};
  for (const auto& [step, factor] : cases) {
    EXPECT_DOUBLE_EQ(schedule.factor(step), factor) << "step " << step;
  }
  EXPECT_FALSE(schedule.in_cooldown(14));
  EXPECT_TRUE(schedule.in_cooldown(15));
}

TEST(WsdSchedule, NeedsNeitherWarmUpNorCooldown) {
  const WsdSchedule schedule{.steps = 3, .warmup_steps = 0, .cooldown_steps = 0};
  for (std::int64_t step = 0; step < 3; ++step) EXPECT_EQ(schedule.factor(step), 1);
}

TEST(PassSchedule, KeepsItsSharesAndStartsLate) {
  const std::int64_t steps = 40'000;
  const PassSchedule schedule({0.75, 0.22, 0.03}, steps, steps / 2, 1);
  std::array<int, 4> counts{};
  for (std::int64_t step = 0; step < steps; ++step) {
    const int passes = schedule.passes(step);
    if (step < steps / 2) {
      ASSERT_EQ(passes, 1);
    }
    ++counts.at(static_cast<std::size_t>(passes));
  }
  // Four standard deviations of 20,000 draws with p = 0.44 and 0.06.
  EXPECT_NEAR(counts[2], 0.22 * steps, 281);
  EXPECT_NEAR(counts[3], 0.03 * steps, 135);
  EXPECT_DOUBLE_EQ(schedule.average_passes(), 1.28);
}

TEST(PassSchedule, DependsOnTheSeedOnly) {
  const PassSchedule one({0.5, 0.5}, 1000, 0, 1), again({0.5, 0.5}, 1000, 0, 1);
  const PassSchedule two({0.5, 0.5}, 1000, 0, 2);
  int differ = 0;
  for (std::int64_t step = 0; step < 1000; ++step) {
    EXPECT_EQ(one.passes(step), again.passes(step));
    differ += one.passes(step) != two.passes(step);
  }
  EXPECT_GT(differ, 300);
}

TEST(PassSchedule, RefusesSharesThatDoNotFit) {
  EXPECT_THROW(PassSchedule({0.5, 0.4}, 100, 0, 1), InputError);
  EXPECT_THROW(PassSchedule({}, 100, 0, 1), InputError);
  EXPECT_THROW(PassSchedule({1.5, -0.5}, 100, 0, 1), InputError);
  EXPECT_THROW(PassSchedule({0.5, 0.5}, 100, 51, 1), InputError);
  EXPECT_THROW(PassSchedule({0.5, 0.5}, 100, 100, 1), InputError);
  EXPECT_EQ(PassSchedule({0.5, 0.5}, 100, 50, 1).passes(50), 2);
  EXPECT_EQ(PassSchedule({1}, 100, 100, 1).passes(99), 1);
}

}  // namespace
}  // namespace fbt::train
