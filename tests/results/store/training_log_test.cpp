#include "results/store/training_log.h"

#include <gmock/gmock.h>

#include "base/error.h"
#include "results/merge/merge.h"
#include "tests/support/paths.h"

namespace fbt::results {
namespace {

using ::testing::ElementsAre;

std::vector<double> losses(const TrainingLog& log) {
  std::vector<double> list;
  for (const TrainingStep& step : log.steps()) list.push_back(step.loss);
  return list;
}

TEST(TrainingLog, KeepsARowAStepAndForgetsOnResume) {
  const fbt::testing::TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "r.sqlite";
  {
    TrainingLog log(path, "demo", "{1}");
    TrainingLog other(path, "other", "{2}");
    for (int step = 0; step < 5; ++step) {
      log.append({.step = step, .loss = 2.5 - step});
      other.append({.step = step, .loss = 7});
    }
  }
  TrainingLog log(path, "demo", "{1}");
  log.truncate(3);
  log.append({.step = 3,
              .tokens = 64,
              .passes = 2,
              .loss = 9,
              .last_pass_loss = 8,
              .gradient_norm = 0.5,
              .state_norm = 14,
              .learning_rate_factor = 0.25,
              .tokens_per_second = 1000});
  EXPECT_THAT(losses(log), ElementsAre(2.5, 1.5, 0.5, 9));
  const TrainingStep last = log.steps().back();
  EXPECT_EQ(last.step, 3);
  EXPECT_EQ(last.tokens, 64);
  EXPECT_EQ(last.passes, 2);
  EXPECT_EQ(last.last_pass_loss, 8);
  EXPECT_EQ(last.gradient_norm, 0.5);
  EXPECT_EQ(last.state_norm, 14);
  EXPECT_EQ(last.learning_rate_factor, 0.25);
  EXPECT_EQ(last.tokens_per_second, 1000);
  EXPECT_EQ(TrainingLog(path, "other", "{2}").steps().size(), 5U);
}

TEST(TrainingLog, MergesByRecipe) {
  const fbt::testing::TemporaryFolder folder;
  const std::filesystem::path one = folder.path() / "1.sqlite", two = folder.path() / "2.sqlite",
                              both = folder.path() / "both.sqlite";
  TrainingLog(one, "demo", "{1}").append({.step = 0, .loss = 3});
  TrainingLog(two, "demo", "{1}").append({.step = 1, .loss = 2});
  TrainingLog(two, "more", "{2}").append({.step = 0, .loss = 5});
  const std::filesystem::path inputs[] = {one, two};
  merge(both, inputs, {});
  EXPECT_THAT(losses(TrainingLog(both, "demo", "{1}")), ElementsAre(3, 2));
  EXPECT_THAT(losses(TrainingLog(both, "more", "{2}")), ElementsAre(5));
}

TEST(TrainingLog, NamesTheFileItCannotOpen) {
  EXPECT_THROW(TrainingLog("/nowhere/log.sqlite", "demo", "{}"), Error);
}

}  // namespace
}  // namespace fbt::results
