#include "results/compare/efficiency.h"

#include <cmath>

#include <gtest/gtest.h>

#include "base/random.h"
#include "tests/results/simulate.h"

namespace fbt::results {
namespace {

TEST(TokensAtScore, InterpolatesInLogTokens) {
  const std::vector<CurvePoint> curve = {{100e9, 0.4}, {400e9, 0.5}, {1600e9, 0.6}};
  EXPECT_NEAR(tokens_at_score(curve, 0.45).tokens, 200e9, 1);
  EXPECT_NEAR(tokens_at_score(curve, 0.5).tokens, 400e9, 1);
  EXPECT_NEAR(tokens_at_score(curve, 0.55).tokens, 800e9, 1);
  EXPECT_NEAR(tokens_at_score(curve, 0.4).tokens, 100e9, 1);
  EXPECT_NEAR(tokens_at_score(curve, 0.6).tokens, 1600e9, 1);
  EXPECT_TRUE(tokens_at_score(curve, 0.39).below);
  EXPECT_EQ(tokens_at_score(curve, 0.39).tokens, 100e9);
  EXPECT_TRUE(tokens_at_score(curve, 0.61).beyond);
  EXPECT_EQ(tokens_at_score(curve, 0.61).tokens, 1600e9);
}

// 0.5 and 0.4 pool to 0.45: flat from 100B to 400B, its middle is 200B.
TEST(TokensAtScore, DipsArePooled) {
  const std::vector<CurvePoint> curve = {{50e9, 0.3}, {100e9, 0.5}, {400e9, 0.4}, {1600e9, 0.65}};
  EXPECT_NEAR(tokens_at_score(curve, 0.45).tokens, 200e9, 1);
  EXPECT_NEAR(tokens_at_score(curve, 0.55).tokens, 800e9, 1);
}

// Nothing right here, nor at the curve's first two budgets: at most the second.
TEST(TokensAtScore, AScoreOfTheFlatStartIsBoundedByItsEnd) {
  const std::vector<CurvePoint> curve = {{100e9, 0}, {400e9, 0}, {1600e9, 0.6}};
  const CurveTokens found = tokens_at_score(curve, 0);
  EXPECT_TRUE(found.below);
  EXPECT_EQ(found.tokens, 400e9);
  const std::vector<CurvePoint> flat = {{100e9, 0}, {400e9, 0}};
  EXPECT_TRUE(tokens_at_score(flat, 0).below);
  EXPECT_EQ(tokens_at_score(flat, 0).tokens, 400e9);
}

// Any score in range is found again on the curve.
TEST(TokensAtScore, InvertsARisingCurve) {
  const std::vector<CurvePoint> curve = {{1e9, 0.1}, {3e9, 0.2}, {2e10, 0.45}, {9e11, 0.5}};
  for (double score = 0.1; score <= 0.5; score += 0.01) {
    const double tokens = tokens_at_score(curve, score).tokens;
    std::size_t right = 1;
    while (right + 1 < curve.size() && curve[right].tokens < tokens) ++right;
    const double share = std::log(tokens / curve[right - 1].tokens) /
                         std::log(curve[right].tokens / curve[right - 1].tokens);
    const double back =
        curve[right - 1].score + share * (curve[right].score - curve[right - 1].score);
    EXPECT_NEAR(back, score, 1e-9);
  }
}

// A standard-family ladder of eight checkpoints, right with probability
// 0.1 + 0.08 log2(tokens / 25B), and one of the other family that learns twice as fast.
double learned(double tokens) {
  return 0.1 + 0.08 * std::log2(tokens / 25e9);
}

// A run in memory whose documents are right with this probability.
RunData simulated_run(const Checkpoint& checkpoint, const std::string& mode, double skill,
                      std::uint64_t seed) {
  constexpr int kDocuments = 1000;
  RunData data;
  data.run.checkpoint = checkpoint;
  data.run.plan = testing::greedy_plan(mode);
  data.run.documents_planned = data.run.documents_done = kDocuments;
  data.temperatures = {0};
  const KeyedRandom random(seed);
  std::vector<double> right;
  for (int document = 0; document < kDocuments; ++document) {
    data.doc_ids.push_back(document);
    right.push_back(random.uniform(static_cast<std::uint64_t>(document)) < skill ? 1 : 0);
  }
  data.subjects.resize(data.doc_ids.size());
  data.values[data.run.plan.primary_metric] = {right};
  return data;
}

DataEfficiency simulated_efficiency(std::uint64_t seed) {
  std::vector<RunData> runs;
  for (int i = 0; i < 8; ++i) {
    const double tokens = 25e9 * std::pow(2, i);
    runs.push_back(
        simulated_run(testing::checkpoint("std-" + std::to_string(i), tokens, "standard"),
                      "standard", learned(tokens), seed * 100 + static_cast<std::uint64_t>(i)));
  }
  runs.push_back(
      simulated_run(testing::checkpoint("fbt", 200e9), "fused", learned(400e9), seed * 100 + 50));
  return data_efficiencies(runs, {}, "").at(0);
}

TEST(DataEfficiencies, RecoverAKnownFactor) {
  constexpr int kTrials = 100;
  int covered = 0;
  double log_sum = 0;
  for (std::uint64_t seed = 1; seed <= kTrials; ++seed) {
    const DataEfficiency found = simulated_efficiency(seed);
    EXPECT_EQ(found.curve_points, 8);
    EXPECT_EQ(found.mode, "fused");
    covered += found.interval.low <= 2 && 2 <= found.interval.high;
    log_sum += std::log(found.ratio);
  }
  // 95 % of 100 is 95; 90 or more has probability 0.989.
  EXPECT_GE(covered, 90);
  EXPECT_NEAR(std::exp(log_sum / kTrials), 2, 0.1);
}

// A score at the start of the curve: its interval is open below, and says so.
TEST(DataEfficiencies, IntervalsThatReachTheCurvesEndAreOpen) {
  std::vector<RunData> runs;
  for (int i = 0; i < 3; ++i) {
    runs.push_back(
        simulated_run(testing::checkpoint("s" + std::to_string(i), 1e9 * (i + 1), "standard"),
                      "standard", 0.4 + 0.1 * i, static_cast<std::uint64_t>(i)));
  }
  runs.push_back(simulated_run(testing::checkpoint("f", 1e9), "fused", 0.4, 9));
  runs.push_back(simulated_run(testing::checkpoint("g", 1e9), "soft", 0.9, 10));
  const auto found = data_efficiencies(runs, {}, "");
  ASSERT_EQ(found.size(), 2u);
  const auto& soft = found[0].mode == "soft" ? found[0] : found[1];
  const auto& fused = found[0].mode == "soft" ? found[1] : found[0];
  EXPECT_TRUE(fused.interval_open_low);
  EXPECT_FALSE(fused.interval_open_high);
  EXPECT_TRUE(soft.beyond_curve && soft.interval_open_high);
  EXPECT_FALSE(soft.interval_open_low);
  EXPECT_EQ(soft.interval.high, 3);
}

// A score of nothing is a bound from above, not a figure without width.
TEST(DataEfficiencies, NothingRightAgainstNothingRightIsABound) {
  std::vector<RunData> runs;
  for (int i = 0; i < 2; ++i) {
    runs.push_back(
        simulated_run(testing::checkpoint("s" + std::to_string(i), 1e9 * (i + 1), "standard"),
                      "standard", 0.3 * i, static_cast<std::uint64_t>(i)));
  }
  runs.push_back(simulated_run(testing::checkpoint("f", 1e9), "fused", 0, 9));
  const DataEfficiency found = data_efficiencies(runs, {}, "").at(0);
  EXPECT_TRUE(found.below_curve && found.interval_open_low);
  EXPECT_FALSE(found.interval_open_high);
  EXPECT_EQ(found.ratio, 1);
}

TEST(EfficiencyText, SaysTheFactorAndItsBounds) {
  DataEfficiency efficiency;
  efficiency.checkpoint = "FBT-200B";
  efficiency.mode = "fused";
  efficiency.train_tokens = 200e9;
  efficiency.equivalent_tokens = 412e9;
  efficiency.ratio = 2.06;
  efficiency.interval = {1.7, 2.5};
  EXPECT_EQ(efficiency_text(efficiency),
            "FBT-200B fused ≈ standard at 412B tokens, 2.06× [1.70, 2.50]");
  efficiency.beyond_curve = true;
  efficiency.interval_open_high = true;
  EXPECT_EQ(efficiency_text(efficiency),
            "FBT-200B fused ≈ standard at ≥ 412B tokens, ≥ 2.06× [1.70, ≥ 2.50]");
}

}  // namespace
}  // namespace fbt::results
