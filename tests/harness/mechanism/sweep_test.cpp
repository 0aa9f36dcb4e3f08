#include "harness/mechanism/sweep.h"

#include <cmath>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/error.h"

namespace fbt::mechanism {
namespace {

using ::testing::HasSubstr;

// A fused run of a task with these per-document values.
results::RunData run_of(const std::string& task, int steps, std::vector<double> values) {
  results::RunData data;
  data.run.plan.task = task;
  data.run.plan.mode = "fused";
  data.run.plan.feedback_steps = steps;
  data.run.plan.primary_metric = "acc";
  data.run.checkpoint.name = "fbt";
  data.temperatures = {0};
  for (std::size_t i = 0; i < values.size(); ++i) {
    data.doc_ids.push_back(static_cast<std::int64_t>(i));
  }
  data.subjects.resize(values.size());
  data.values["acc"] = {std::move(values)};
  return data;
}

const std::vector<results::RunData>& runs() {
  static const std::vector<results::RunData> runs = {
      run_of("a", 0, {1, 0, 0, 0}), run_of("a", 1, {1, 1, 1, 0}), run_of("a", 2, {1, 1, 0, 0}),
      run_of("b", 0, {0, 1}),       run_of("b", 1, {1, 1}),       run_of("b", 2, {1, 1}),
  };
  return runs;
}

const results::TaskGroup kPlain{"mean", {"a", "b"}};

const SweepCurve& curve(const SweepResult& result, const std::string& name) {
  for (const SweepCurve& one : result.curves) {
    if (one.name == name) return one;
  }
  throw InputError("no curve " + name);
}

TEST(Sweep, AveragesTasksAndPairsSteps) {
  const SweepResult result = summarize_sweep("fbt", 2, runs(), {{kPlain}}, std::nullopt);
  ASSERT_EQ(result.curves.size(), 3U);
  EXPECT_EQ(curve(result, "a").values, (std::vector<double>{0.25, 0.75, 0.5}));
  EXPECT_EQ(curve(result, "mean").values, (std::vector<double>{0.375, 0.875, 0.75}));
  // Task a gains documents 1 and 2 at step 1 and loses 2 at step 2.
  EXPECT_EQ(curve(result, "a").to_previous[0].difference, 0.5);
  EXPECT_EQ(curve(result, "a").to_previous[0].p, 0.5);  // McNemar, 2 to 0
  EXPECT_EQ(curve(result, "a").to_previous[1].difference, -0.25);
  EXPECT_EQ(curve(result, "a").to_zero[1].difference, 0.25);
  // The mean's difference at step 1 is (0.5 + 0.5) / 2; its error, by hand: the
  // differences {0,1,1,0} have standard error sqrt(1/12), {1,0} has 0.5.
  const StepDifference& mean = curve(result, "mean").to_previous[0];
  EXPECT_NEAR(mean.difference, 0.5, 1e-12);
  const double error = std::sqrt(1.0 / 12 + 0.25) / 2;
  EXPECT_NEAR(mean.interval.high - mean.difference, 1.959964 * error, 1e-5);
  EXPECT_NEAR(mean.p, std::erfc(0.5 / error / std::sqrt(2.0)), 1e-9);
  EXPECT_GE(mean.p_adjusted, mean.p);
}

TEST(Sweep, WeightsTasksOfASizeWeightedGroup) {
  const std::vector<results::TaskGroup> groups = {
      {"all", {"a", "b"}, results::TaskGroup::Mean::kSizeWeighted}, {"outer", {"all", "b"}}};
  const SweepResult result = summarize_sweep("fbt", 2, runs(), groups, std::nullopt);
  EXPECT_NEAR(curve(result, "all").values[0], 2.0 / 6, 1e-12);
  EXPECT_NEAR(curve(result, "outer").values[0], (2.0 / 6 + 0.5) / 2, 1e-12);
  EXPECT_EQ(result.curves.size(), 2U);  // "all" stands for its tasks
}

TEST(Sweep, ComparesDocumentsThatAllStepsHave) {
  std::vector<results::RunData> some = {run_of("a", 0, {1, 0, 0}), run_of("a", 1, {1, 1, 0, 1})};
  some[0].doc_ids = {0, 2, 3};
  const SweepResult result = summarize_sweep("fbt", 1, some, {}, std::nullopt);
  EXPECT_EQ(curve(result, "a").documents, 3);
  EXPECT_NEAR(curve(result, "a").values[1], 2.0 / 3, 1e-12);  // documents 0, 2, 3: 1, 0, 1
}

TEST(Sweep, RefusesGaps) {
  const std::vector<results::RunData> some = {run_of("a", 0, {1}), run_of("a", 2, {1})};
  try {
    summarize_sweep("fbt", 2, some, {}, std::nullopt);
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "a: 1 feedback steps are missing from the sweep");
  }
}

TEST(Sweep, LossIsPairedByWindow) {
  StabilityResult loss;
  loss.source = "text";
  loss.loss = {0, 0};
  for (int i = 0; i < 12; ++i) loss.windows.push_back({{3.0 + 0.1 * i, 2.9 + 0.1 * i}, {0, 1}, 10});
  const SweepResult result = summarize_sweep("fbt", 1, {}, {}, loss);
  ASSERT_EQ(result.curves.size(), 1U);
  EXPECT_TRUE(result.curves[0].is_loss);
  EXPECT_NEAR(result.curves[0].to_previous[0].difference, -0.1, 1e-12);
  EXPECT_LT(result.curves[0].to_previous[0].p, 0.001);
  const std::string table = render(sweep_tables(result)[1], results::TableFormat::kMarkdown);
  EXPECT_THAT(table, HasSubstr("-0.1000 [-0.1000, -0.1000]"));
  EXPECT_EQ(sweep_json(result).at("curves")[0].at("kind"), "loss");
}

}  // namespace
}  // namespace fbt::mechanism
