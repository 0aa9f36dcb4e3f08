#include "results/statistics/split_half.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "base/random.h"
#include "results/statistics/interval.h"

namespace fbt::results {
namespace {

std::size_t best_over(const std::vector<std::vector<double>>& values,
                      std::span<const std::size_t> documents) {
  std::size_t best = 0;
  double best_sum = -1;
  for (std::size_t t = 0; t < values.size(); ++t) {
    double sum = 0;
    for (const std::size_t d : documents) sum += values[t][d];
    if (sum > best_sum) {
      best = t;
      best_sum = sum;
    }
  }
  return best;
}

// Fisher and Yates.
void shuffle(std::vector<std::size_t>& order, const KeyedRandom& random, std::uint64_t split) {
  for (std::size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], order[random.bits(i, split) % i]);
  }
}

}  // namespace

SplitHalf split_half(const std::vector<std::vector<double>>& values, int splits,
                     std::uint64_t seed) {
  const std::size_t n = values.front().size();
  SplitHalf result{std::vector<double>(n), std::vector<double>(values.size())};
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const KeyedRandom random(seed);
  for (int split = 0; split < splits; ++split) {
    shuffle(order, random, static_cast<std::uint64_t>(split));
    const std::span<const std::size_t> all(order);
    const std::array halves = {all.first(n / 2), all.subspan(n / 2)};
    for (std::size_t side = 0; side < 2; ++side) {
      const std::size_t chosen = best_over(values, halves[side]);
      result.chosen[chosen] += 0.5 / splits;
      for (const std::size_t d : halves[1 - side]) {
        result.per_document[d] += values[chosen][d] / splits;
      }
    }
  }
  return result;
}

std::size_t best_temperature(const std::vector<std::vector<double>>& values) {
  std::vector<std::size_t> all(values.front().size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return best_over(values, all);
}

}  // namespace fbt::results
