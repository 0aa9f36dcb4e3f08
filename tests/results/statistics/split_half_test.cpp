#include "results/statistics/split_half.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "results/statistics/interval.h"

namespace fbt::results {
namespace {

// `temperatures` rows of right-or-wrong values with these probabilities.
std::vector<std::vector<double>> grid(const std::vector<double>& probabilities,
                                      std::uint64_t documents, std::uint64_t seed) {
  const KeyedRandom random(seed);
  std::vector<std::vector<double>> values;
  for (std::size_t t = 0; t < probabilities.size(); ++t) {
    auto& row = values.emplace_back();
    for (std::uint64_t d = 0; d < documents; ++d) {
      row.push_back(random.uniform(d, t) < probabilities[t] ? 1 : 0);
    }
  }
  return values;
}

// Where no temperature is better, the best of the grid flatters and the
// split-half figure does not.
TEST(SplitHalf, TakesTheFlatteryAway) {
  double best_sum = 0;
  double honest_sum = 0;
  constexpr int kTrials = 300;
  for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
    const auto values = grid({0.4, 0.4, 0.4}, 164, trial);
    best_sum += mean(values[best_temperature(values)]);
    honest_sum += mean(split_half(values, 50).per_document);
  }
  EXPECT_GT(best_sum / kTrials, 0.42);
  EXPECT_NEAR(honest_sum / kTrials, 0.4, 0.006);
}

TEST(SplitHalf, AClearWinnerIsAlwaysChosen) {
  const auto values = grid({0.2, 0.8, 0.3}, 200, 1);
  const SplitHalf honest = split_half(values);
  EXPECT_EQ(best_temperature(values), 1u);
  EXPECT_NEAR(honest.chosen[1], 1, 1e-9);
  EXPECT_NEAR(mean(honest.per_document), mean(values[1]), 1e-9);
}

TEST(SplitHalf, SharesSumToOneAndSmallInputsWork) {
  for (const std::uint64_t documents : {0, 1, 2, 3, 7}) {
    const SplitHalf honest = split_half(grid({0.5, 0.5}, documents, 9));
    EXPECT_EQ(honest.per_document.size(), documents);
    EXPECT_NEAR(honest.chosen[0] + honest.chosen[1], 1, 1e-9);
  }
}

TEST(SplitHalf, TiesGoToTheEarlierTemperature) {
  EXPECT_EQ(best_temperature({{1, 0}, {0, 1}}), 0u);
}

}  // namespace
}  // namespace fbt::results
