#include "results/statistics/interval.h"

#include <cmath>

#include <gtest/gtest.h>

#include "base/random.h"

namespace fbt::results {
namespace {

// scipy.stats.binomtest(k, n).proportion_ci(level, "wilson"), SciPy 1.10.1.
TEST(Wilson, AgreesWithSciPy) {
  const struct {
    double k, n, level, low, high;
  } cases[] = {
      {7, 20, 0.95, 0.1811918241010821, 0.5671457233147637},
      {0, 20, 0.95, 0.0, 0.16112515805281935},
      {20, 20, 0.95, 0.8388748419471808, 1.0},
      {645, 1000, 0.95, 0.6148387032147421, 0.6740515368244467},
      {1, 164, 0.99, 0.0007162922368801131, 0.049888225203719064},
      {851, 1319, 0.9, 0.6232392562405695, 0.6665378441861127},
  };
  for (const auto& c : cases) {
    const Interval interval = wilson_interval(c.k, c.n, c.level);
    EXPECT_NEAR(interval.low, c.low, 1e-12) << c.k << " of " << c.n;
    EXPECT_NEAR(interval.high, c.high, 1e-12) << c.k << " of " << c.n;
  }
  EXPECT_EQ(wilson_interval(0, 0, 0.95).low, 0);
  EXPECT_EQ(wilson_interval(0, 0, 0.95).high, 1);
}

// Over random binomial data the interval holds the truth at its nominal rate.
TEST(Wilson, CoversAtItsLevel) {
  const KeyedRandom random(11);
  constexpr int kTrials = 4000;
  std::uint64_t stream = 0;
  for (const double p : {0.2, 0.5, 0.645}) {
    int covered = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
      ++stream;
      int right = 0;
      constexpr int kDocuments = 500;
      for (std::uint64_t i = 0; i < kDocuments; ++i) right += random.uniform(i, stream) < p;
      const Interval interval = wilson_interval(right, kDocuments, 0.95);
      covered += interval.low <= p && p <= interval.high;
    }
    EXPECT_NEAR(static_cast<double>(covered) / kTrials, 0.95, 0.02) << p;
  }
}

TEST(Median, OfFewAndMany) {
  EXPECT_EQ(median({}), 0);
  EXPECT_EQ(median({3}), 3);
  EXPECT_EQ(median({4, 1}), 2.5);
  EXPECT_EQ(median({9, 1, 5}), 5);
  EXPECT_EQ(median({7, 1, 5, 3}), 4);
}

// Worked by hand: values 1 1 | 0 | 1 0 in clusters a, b, c. Mean 0.6; summed
// residuals 0.8, -0.6, -0.2, squares 1.04; times 3/2 is 1.56; root over 5.
TEST(ClusteredError, WorkedByHand) {
  const std::vector<double> values = {1, 1, 0, 1, 0};
  const std::vector<std::string> clusters = {"a", "a", "b", "c", "c"};
  EXPECT_NEAR(clustered_standard_error(values, clusters), std::sqrt(1.56) / 5, 1e-15);
}

// With every document a cluster of its own it is the usual standard error.
TEST(ClusteredError, SingletonsGiveTheUsualError) {
  const KeyedRandom random(5);
  std::vector<double> values;
  std::vector<std::string> clusters;
  for (std::uint64_t i = 0; i < 200; ++i) {
    values.push_back(random.uniform(i));
    clusters.push_back(std::to_string(i));
  }
  EXPECT_NEAR(clustered_standard_error(values, clusters),
              standard_deviation(values) / std::sqrt(200.0), 1e-12);
}

// Subjects of different difficulty: only the clustered interval covers.
TEST(ClusteredError, CoversWhereSubjectsDiffer) {
  const KeyedRandom random(17);
  constexpr int kTrials = 2000;
  constexpr std::uint64_t kSubjects = 57;
  constexpr std::uint64_t kEach = 20;
  std::vector<std::string> subjects;
  for (std::uint64_t s = 0; s < kSubjects; ++s) {
    subjects.insert(subjects.end(), kEach, "subject " + std::to_string(s));
  }
  int covered = 0;
  int covered_unclustered = 0;
  for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
    std::vector<double> values;
    for (std::uint64_t s = 0; s < kSubjects; ++s) {
      const double p = 0.2 + 0.6 * random.uniform(s, 2 * trial);
      for (std::uint64_t i = 0; i < kEach; ++i) {
        values.push_back(random.uniform(1000 + s * kEach + i, 2 * trial + 1) < p ? 1 : 0);
      }
    }
    const auto holds = [](const Interval& interval) {
      return interval.low <= 0.5 && 0.5 <= interval.high;
    };
    covered += holds(estimate_score(values, subjects).interval);
    covered_unclustered += holds(estimate_score(values, {}).interval);
  }
  EXPECT_NEAR(static_cast<double>(covered) / kTrials, 0.95, 0.02);
  EXPECT_LT(static_cast<double>(covered_unclustered) / kTrials, 0.85);
}

TEST(EstimateScore, ChoosesTheIntervalThatFits) {
  const std::vector<std::string> subjects = {"a", "b", "a", "b"};
  const std::vector<std::string> one(4, "a");
  EXPECT_EQ(estimate_score(std::vector{1.0, 0.0, 1.0, 0.0}, {}).method, "Wilson");
  EXPECT_EQ(estimate_score(std::vector{1.0, 0.0, 1.0, 0.0}, one).method, "Wilson");
  EXPECT_EQ(estimate_score(std::vector{1.0, 0.0, 1.0, 0.0}, subjects).method,
            "clustered by subject");
  EXPECT_EQ(estimate_score(std::vector{1.0, 0.5, 1.0, 0.0}, {}).method, "BCa bootstrap");
  EXPECT_EQ(estimate_score({}, {}).interval.high, 1);
}

}  // namespace
}  // namespace fbt::results
