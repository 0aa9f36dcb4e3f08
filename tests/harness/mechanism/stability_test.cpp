#include "harness/mechanism/stability.h"

#include <csignal>
#include <numeric>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "tests/harness/mechanism/experiment_fixture.h"

namespace fbt::mechanism {
namespace {

using ::testing::DoubleNear;
using ::testing::HasSubstr;

class StabilityTest : public ExperimentTest {
 protected:
  StabilityResult run(int steps = 8) {
    options_.steps = steps;
    options_.record.database = database();
    return run_stability(options_, checkpoint_, text_, stream_);
  }

  StabilityOptions options_;
  TextWindows text_{"text", "hash", std::vector<std::vector<int>>(20, std::vector<int>(50, 1))};
};

TEST_F(StabilityTest, AveragesOverTokensAndDiagnoses) {
  // A second, shorter kind of window with another loss.
  text_.windows[3].resize(11);
  stream_.loss = [this](int step) {
    return (stream_.sequences_run == 4 ? 5 : 2) + std::pow(0.5, step);
  };
  const StabilityResult result = run();
  ASSERT_EQ(result.loss.size(), 9U);
  // 19 windows of 49 predicted tokens at 3 nats, one of 10 at 6.
  EXPECT_NEAR(result.loss[0], (19 * 49 * 3.0 + 10 * 6.0) / (19 * 49 + 10), 1e-12);
  EXPECT_NEAR(result.change[3], 0.125, 1e-12);
  EXPECT_EQ(result.change[0], 0);
  EXPECT_TRUE(result.complete());
  EXPECT_THAT(stability_table(result).notes[0], HasSubstr("varies by"));
}

TEST_F(StabilityTest, JudgesStepsBelowTheLongestWindow) {
  text_.windows[3].resize(11);
  EXPECT_EQ(run(60).convergence.last_step, 49);
}

TEST_F(StabilityTest, ComputesOnlyWhatIsMissing) {
  run();
  EXPECT_EQ(stream_.sequences_run, 20);
  const StabilityResult again = run();
  EXPECT_EQ(stream_.sequences_run, 20);
  EXPECT_EQ(again.windows.size(), 20U);
  run(9);  // other settings, another experiment
  EXPECT_EQ(stream_.sequences_run, 40);
  options_.record.fresh = true;
  run();
  EXPECT_EQ(stream_.sequences_run, 60);
}

TEST_F(StabilityTest, KeepsWhatWasDoneWhenInterrupted) {
  stream_.on_sequence = [this] {
    if (stream_.sequences_run == 11) std::raise(SIGINT);
  };
  EXPECT_THROW(run(), InterruptedError);
  EXPECT_EQ(stream_.sequences_run, 11);
  run();
  EXPECT_EQ(stream_.sequences_run, 20);
}

TEST_F(StabilityTest, ShardsAddUp) {
  const double whole = run().loss[2];
  options_.record.fresh = true;
  for (const int index : {1, 2}) {
    options_.record.shard = {index, 2};
    const StabilityResult part = run();
    options_.record.fresh = false;
    EXPECT_EQ(part.windows.size(), index == 1 ? 10U : 20U);
    EXPECT_EQ(part.complete(), index == 2);
    EXPECT_THAT(part.loss[2], DoubleNear(whole, 1e-12));
  }
}

TEST_F(StabilityTest, JsonHoldsTheSeries) {
  const nlohmann::json json = stability_json(run(6));
  EXPECT_EQ(json.at("schema"), 1);
  EXPECT_EQ(json.at("loss").size(), 7U);
  EXPECT_EQ(json.at("verdict"), "undecided");  // halving still moves more than the tolerance
  EXPECT_EQ(json.at("windows").size(), 20U);
}

TEST(TextWindows, CutsTextWithBosInFront) {
  const FakeStream stream;
  const auto tokenize = [&](std::string_view text) { return stream.tokenize(text); };
  const TextWindows text =
      windows_of_text("abcdefghijk", "file", tokenize, {.tokens = 5, .limit = 9});
  ASSERT_EQ(text.windows.size(), 2U);  // four letters each, three are left over
  EXPECT_EQ(text.windows[0], (std::vector<int>{0, 'a', 'b', 'c', 'd'}));
  EXPECT_EQ(text.windows[1], (std::vector<int>{0, 'e', 'f', 'g', 'h'}));
  EXPECT_EQ(windows_of_text("abcdefghijk", "file", tokenize, {.tokens = 5, .limit = 1}).windows,
            (std::vector<std::vector<int>>{{0, 'a', 'b', 'c', 'd'}}));
  // Less than a window is taken as it is.
  EXPECT_EQ(windows_of_text("abc", "file", tokenize, {.tokens = 50}).windows,
            (std::vector<std::vector<int>>{{0, 'a', 'b', 'c'}}));
  EXPECT_THROW(windows_of_text("a", "file", tokenize, {}), InputError);
  EXPECT_THROW(windows_of_text("abc", "file", tokenize, {.tokens = 2}), InputError);
}

}  // namespace
}  // namespace fbt::mechanism
