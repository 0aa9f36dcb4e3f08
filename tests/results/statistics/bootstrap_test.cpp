#include "results/statistics/bootstrap.h"

#include <cmath>

#include <gtest/gtest.h>

#include "base/random.h"

namespace fbt::results {
namespace {

// scipy.stats.bootstrap(..., method="BCa", n_resamples=200000), SciPy 1.10.1.
// Ours draws 10,000 by default; here as many as SciPy did.
constexpr BootstrapOptions kMany{200'000, 1};

TEST(Bootstrap, MeanAgreesWithSciPy) {
  const std::vector<double> values = {0,   0.3, 1,   1,    0.53, 0.9, 0.1, 0, 0,   1,
                                      0.7, 0.3, 0.3, 0.53, 0.9,  1,   1,   0, 0.1, 0.708};
  const Bootstrap bootstrap = bootstrap_mean(values, kMany);
  EXPECT_NEAR(bootstrap.estimate(), 0.5184, 1e-12);
  EXPECT_NEAR(bootstrap.interval(0.95).low, 0.3453, 0.002);
  EXPECT_NEAR(bootstrap.interval(0.95).high, 0.6892, 0.002);
  EXPECT_NEAR(bootstrap.interval(0.90).low, 0.3730, 0.002);
  EXPECT_NEAR(bootstrap.interval(0.90).high, 0.6623, 0.002);
}

// A skewed sample, where acceleration matters.
TEST(Bootstrap, SkewedMeanAgreesWithSciPy) {
  std::vector<double> values;
  for (int i = 0; i < 40; ++i) values.push_back(std::exp(-2 + 5.0 * i / 39));
  const Interval interval = bootstrap_mean(values, kMany).interval(0.95);
  EXPECT_NEAR(interval.low, 2.7799, 0.015);
  EXPECT_NEAR(interval.high, 6.1137, 0.02);
}

TEST(Bootstrap, PairedRatioAgreesWithSciPy) {
  const std::vector<double> first = {100, 250, 80, 130, 400, 90, 60, 310, 220, 150};
  const std::vector<double> second = {90, 260, 70, 100, 420, 60, 65, 250, 200, 149};
  const Bootstrap bootstrap = bootstrap_ratio(second, first, kMany);
  EXPECT_NEAR(bootstrap.estimate(), 0.929608938547486, 1e-12);
  EXPECT_NEAR(bootstrap.interval(0.95).low, 0.8451, 0.002);
  EXPECT_NEAR(bootstrap.interval(0.95).high, 1.0071, 0.002);
}

TEST(Bootstrap, IsDeterministicInItsSeed) {
  const std::vector<double> values = {0.1, 0.9, 0.4, 0.6, 0.3};
  EXPECT_EQ(bootstrap_mean(values).interval(0.95).low, bootstrap_mean(values).interval(0.95).low);
  EXPECT_NE(bootstrap_mean(values, {1000, 1}).endpoint(0.4),
            bootstrap_mean(values, {1000, 2}).endpoint(0.4));
}

// p-values invert the interval: at p, the endpoint is the value.
TEST(Bootstrap, PValuesInvertTheInterval) {
  std::vector<double> values;
  const KeyedRandom random(3);
  for (std::uint64_t i = 0; i < 80; ++i) values.push_back(std::pow(random.uniform(i), 3));
  const Bootstrap bootstrap = bootstrap_mean(values);
  for (const double p : {0.01, 0.05, 0.2, 0.5}) {
    EXPECT_NEAR(bootstrap.p_above(bootstrap.endpoint(p)), p, 0.003);
    EXPECT_NEAR(bootstrap.p_below(bootstrap.endpoint(1 - p)), p, 0.003);
  }
}

TEST(Bootstrap, ConstantDataIsAPoint) {
  const Bootstrap bootstrap = bootstrap_mean(std::vector<double>(10, 0.25));
  EXPECT_EQ(bootstrap.interval(0.95).low, 0.25);
  EXPECT_EQ(bootstrap.interval(0.95).high, 0.25);
  EXPECT_EQ(bootstrap.p_two_sided(0.25), 1);
  EXPECT_LT(bootstrap.p_two_sided(0), 0.001);
  EXPECT_EQ(bootstrap.p_above(0.3), 1);
}

// Pass@3 of ten samples on problems of mixed difficulty.
TEST(Bootstrap, CoversAtItsLevel) {
  const KeyedRandom random(29);
  constexpr int kTrials = 1500;
  constexpr double kTruth = 0.75;  // mean of 1 - (1 - p)^3 over p uniform on [0, 1]
  int covered = 0;
  for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
    std::vector<double> values;
    for (std::uint64_t d = 0; d < 164; ++d) {
      const double p = random.uniform(d, 2 * trial);
      int correct = 0;
      for (std::uint64_t s = 0; s < 10; ++s) {
        correct += random.uniform(d * 10 + s, 2 * trial + 1) < p;
      }
      const double miss = (10 - correct) * (9 - correct) * (8 - correct) / 720.0;
      values.push_back(1 - std::max(0.0, miss));
    }
    const Interval interval = bootstrap_mean(values, {1000, trial}).interval(0.95);
    covered += interval.low <= kTruth && kTruth <= interval.high;
  }
  EXPECT_NEAR(static_cast<double>(covered) / kTrials, 0.95, 0.02);
}

}  // namespace
}  // namespace fbt::results
