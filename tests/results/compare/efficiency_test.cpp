#include "results/compare/efficiency.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/results/simulate.h"
#include "tests/support/paths.h"

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
  const std::vector<CurvePoint> curve = {{100e9, 0.5}, {400e9, 0.4}, {1600e9, 0.65}};
  EXPECT_NEAR(tokens_at_score(curve, 0.45).tokens, 200e9, 1);
  EXPECT_NEAR(tokens_at_score(curve, 0.55).tokens, 800e9, 1);
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

DataEfficiency simulated_efficiency(std::uint64_t seed) {
  const fbt::testing::TemporaryFolder folder;
  Store store(folder.path() / "r.sqlite", OpenMode::kWrite);
  const auto add = [&](const std::string& name, double tokens, const std::string& family,
                       const std::string& mode, double skill) {
    testing::write_run(store, testing::checkpoint(name, tokens, family), testing::greedy_plan(mode),
                       {.documents = 1000,
                        .seed = seed * 100 + static_cast<std::uint64_t>(std::log2(tokens / 1e9)),
                        .right = [skill](int, double) { return skill; }});
  };
  for (int i = 0; i < 8; ++i) {
    const double tokens = 25e9 * std::pow(2, i);
    add("std-" + std::to_string(i), tokens, "standard", "standard", learned(tokens));
  }
  add("fbt", 200e9, "full-bandwidth", "fused", learned(400e9));
  std::vector<RunData> runs;
  for (const RunRecord& run : store.runs()) runs.push_back(load_run(store, run));
  return data_efficiencies(runs, {}, "").at(0);
}

TEST(DataEfficiencies, RecoverAKnownFactor) {
  constexpr int kTrials = 20;
  int covered = 0;
  double log_sum = 0;
  for (std::uint64_t seed = 1; seed <= kTrials; ++seed) {
    const DataEfficiency found = simulated_efficiency(seed);
    EXPECT_EQ(found.curve_points, 8);
    EXPECT_EQ(found.mode, "fused");
    covered += found.interval.low <= 2 && 2 <= found.interval.high;
    log_sum += std::log(found.ratio);
  }
  // 95 % of 20 is 19; 17 or more has probability 0.984.
  EXPECT_GE(covered, 17);
  EXPECT_NEAR(std::exp(log_sum / kTrials), 2, 0.2);
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
