#include "results/statistics/paired.h"

#include <cmath>

#include <gtest/gtest.h>

#include "base/random.h"

namespace fbt::results {
namespace {

// scipy.stats.binomtest(min(gained, lost), gained + lost, 0.5), two-sided, and
// binomtest(gained, gained + lost, 0.5, alternative="less"); SciPy 1.10.1.
TEST(McNemar, AgreesWithSciPy) {
  const struct {
    long long gained, lost;
    double two_sided, worse;
  } cases[] = {
      {9, 3, 0.14599609375, 0.980712890625},
      {0, 0, 1, 1},
      {5, 5, 1, 0.623046875},
      {1, 12, 0.00341796875, 0.001708984375},
      {0, 8, 0.0078125, 0.00390625},
      {30, 55, 0.008836205876094518, 0.004418102938047259},
  };
  for (const auto& c : cases) {
    EXPECT_NEAR(mcnemar_two_sided(c.gained, c.lost), c.two_sided, 1e-13);
    EXPECT_NEAR(mcnemar_worse(c.gained, c.lost), c.worse, 1e-13);
  }
}

// The constrained likelihood maximized numerically and the statistic's roots
// found by scipy.optimize (minimize_scalar, brentq), SciPy 1.10.1.
TEST(McNemarFalseAlarms, WorkedByHand) {
  EXPECT_EQ(mcnemar_false_alarm_rate(0, 0.05), 0);
  EXPECT_EQ(mcnemar_false_alarm_rate(5, 0.05), 0);  // 2 / 2^5 is above the level
  EXPECT_NEAR(mcnemar_false_alarm_rate(6, 0.05), 2.0 / 64, 1e-12);
  EXPECT_NEAR(mcnemar_false_alarm_rate(12, 0.05), 2.0 * (1 + 12 + 66) / 4096, 1e-12);
  EXPECT_LE(mcnemar_false_alarm_rate(1000, 0.05), 0.05);
  EXPECT_GE(mcnemar_false_alarm_rate(1000, 0.05), 0.04);
}

TEST(Tango, AgreesWithDirectMaximumLikelihood) {
  const struct {
    long long gained, lost, n;
    double low, high;
  } cases[] = {
      {12, 2, 50, 0.06111240593, 0.34470874806},      {1, 0, 10, -0.20528607976, 0.40415002680},
      {0, 0, 50, -0.07134759913, 0.07134759913},      {9, 3, 44, -0.02009579676, 0.29478560442},
      {30, 55, 1319, -0.03319612417, -0.00537227178},
  };
  for (const auto& c : cases) {
    const Interval interval = tango_interval(c.gained, c.lost, c.n, 0.95);
    EXPECT_NEAR(interval.low, c.low, 1e-6) << c.gained << ' ' << c.lost;
    EXPECT_NEAR(interval.high, c.high, 1e-6) << c.gained << ' ' << c.lost;
  }
  EXPECT_NEAR(tango_interval(10, 0, 10, 0.95).high, 1, 1e-9);
  EXPECT_NEAR(tango_interval(0, 10, 10, 0.95).low, -1, 1e-9);
}

// Worked by hand: sorted 0.005·5, 0.01·4, 0.03·3, 0.04·2 (raised to 0.09), 0.5.
TEST(Holm, WorkedByHand) {
  const std::vector<double> adjusted = holm(std::vector{0.01, 0.04, 0.03, 0.005, 0.5});
  const std::vector<double> expected = {0.04, 0.09, 0.09, 0.025, 0.5};
  ASSERT_EQ(adjusted.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(adjusted[i], expected[i], 1e-12);
  EXPECT_TRUE(holm({}).empty());
  EXPECT_EQ(holm(std::vector{0.9, 0.8})[0], 1);
}

// (1.95996 + 0.84162) · 0.5 / sqrt(1000), with SciPy's normal quantiles.
TEST(DetectableDifference, WorkedByHand) {
  EXPECT_NEAR(minimal_detectable_difference(0.5, 1000), 0.04429695174148298, 1e-12);
  EXPECT_EQ(minimal_detectable_difference(0.5, 0), 1);
}

// A true difference of the detectable size is found at the stated power.
TEST(DetectableDifference, IsFoundAtItsPower) {
  const KeyedRandom random(41);
  constexpr int kTrials = 1500;
  constexpr std::uint64_t kDocuments = 1000;
  constexpr double kDiscordant = 0.2;  // share of documents on which the runs differ
  const double difference = minimal_detectable_difference(std::sqrt(kDiscordant), kDocuments);
  int found = 0;
  for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
    long long gained = 0;
    long long lost = 0;
    for (std::uint64_t d = 0; d < kDocuments; ++d) {
      const double u = random.uniform(d, trial);
      gained += u < (kDiscordant + difference) / 2;
      lost += u >= (kDiscordant + difference) / 2 && u < kDiscordant;
    }
    found += mcnemar_two_sided(gained, lost) < 0.05;
  }
  EXPECT_NEAR(static_cast<double>(found) / kTrials, 0.8, 0.04);
}

struct Pair {
  std::vector<double> first;
  std::vector<double> second;
};

// Right-or-wrong pairs with a true difference.
Pair binary_pair(std::uint64_t documents, double both, double gained, double lost,
                 std::uint64_t trial) {
  const KeyedRandom random(43);
  Pair pair;
  for (std::uint64_t d = 0; d < documents; ++d) {
    const double u = random.uniform(d, trial);
    pair.first.push_back(u < both + lost ? 1 : 0);
    pair.second.push_back(u < both || (u >= both + lost && u < both + lost + gained) ? 1 : 0);
  }
  return pair;
}

TEST(ComparePaired, EqualFractionsAreNoCertainty) {
  const std::vector<double> values = {0.25, 0.5, 0.75, 1, 0};
  const PairedComparison result = compare_paired(values, values, {});
  EXPECT_EQ(result.test, "paired bootstrap");
  EXPECT_EQ(result.p, 1);
  const Interval tango = tango_interval(0, 0, 5, 0.95);
  EXPECT_EQ(result.interval.low, tango.low);
  EXPECT_LT(result.interval.low, -0.4);
}

TEST(ComparePaired, McNemarIntervalCoversAndTestHolds) {
  constexpr int kTrials = 3000;
  int covered = 0;
  int false_alarms = 0;
  for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
    const Pair shifted = binary_pair(300, 0.4, 0.15, 0.1, trial);
    const PairedComparison result = compare_paired(shifted.first, shifted.second, {});
    EXPECT_EQ(result.test, "exact McNemar");
    covered += result.interval.low <= 0.05 && 0.05 <= result.interval.high;
    const Pair equal = binary_pair(300, 0.4, 0.12, 0.12, trial + kTrials);
    false_alarms += compare_paired(equal.first, equal.second, {}).p < 0.05;
  }
  EXPECT_NEAR(static_cast<double>(covered) / kTrials, 0.95, 0.02);
  EXPECT_LT(static_cast<double>(false_alarms) / kTrials, 0.055);
}

TEST(ComparePaired, ChoosesTheTestThatFits) {
  const std::vector<double> first = {0, 1, 0, 1};
  const std::vector<double> second = {1, 1, 0, 1};
  const std::vector<double> parts = {0.5, 1, 0, 1};
  const std::vector<std::string> subjects = {"a", "a", "b", "b"};
  EXPECT_EQ(compare_paired(first, second, {}).test, "exact McNemar");
  EXPECT_EQ(compare_paired(first, parts, {}).test, "paired bootstrap");
  EXPECT_EQ(compare_paired(first, second, subjects).test, "clustered z");
  EXPECT_EQ(compare_paired(first, second, {}).difference, 0.25);
}

TEST(ComparePaired, OrderTurnsTheSignAround) {
  for (const bool binary : {true, false}) {
    Pair pair = binary_pair(200, 0.4, 0.2, 0.1, 3);
    if (!binary) {
      pair.first[0] = 0.5;
      pair.second[1] = 0.25;
    }
    const auto forth = compare_paired(pair.first, pair.second, {});
    const auto back = compare_paired(pair.second, pair.first, {});
    EXPECT_NEAR(forth.difference, -back.difference, 1e-12);
    EXPECT_NEAR(forth.interval.low, -back.interval.high, 0.004);
    EXPECT_NEAR(forth.p, back.p, 0.01);
    EXPECT_GT(forth.p_worse, 0.9);
    EXPECT_LT(back.p_worse, 0.05);
  }
}

TEST(CompareRatio, FindsGrowthAndItsAbsence) {
  std::vector<double> first;
  std::vector<double> longer;
  std::vector<double> same;
  const KeyedRandom random(51);
  for (std::uint64_t d = 0; d < 200; ++d) {
    first.push_back(50 + 100 * random.uniform(d, 0));
    longer.push_back(first.back() * (1.1 + 0.2 * random.uniform(d, 1)));
    same.push_back(first.back() * (0.8 + 0.4 * random.uniform(d, 2)));
  }
  const PairedRatio grown = compare_ratio(first, longer);
  EXPECT_NEAR(grown.change, 0.2, 0.02);
  EXPECT_LT(grown.interval.low, 0.2);
  EXPECT_GT(grown.interval.high, 0.19);
  EXPECT_LT(grown.p_grown, 0.001);
  EXPECT_GT(compare_ratio(first, same).p, 0.05);
  EXPECT_EQ(compare_ratio(std::vector{0.0}, std::vector{0.0}).change, 0);
}

}  // namespace
}  // namespace fbt::results
