#include "scorers/pass_at_k.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "base/error.h"
#include "base/random.h"

namespace fbt::scorers {

namespace {

std::vector<double> per_problem(std::span<const SampleCounts> problems, std::size_t k) {
  if (problems.empty()) throw InputError("pass@k needs at least one problem");
  std::vector<double> values;
  values.reserve(problems.size());
  for (const SampleCounts& problem : problems) values.push_back(pass_at_k(problem, k));
  return values;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

}  // namespace

double pass_at_k(SampleCounts counts, std::size_t k) {
  const auto [n, c] = counts;
  if (k < 1 || k > n || c > n) {
    throw InputError(fmt::format(
        "pass@{} of {} samples with {} correct is undefined; k must be 1 to the number of samples",
        k, n, c));
  }
  if (n - c < k) return 1.0;
  // C(n-c,k)/C(n,k) is symmetric in c and k: the product over the smaller one
  // of (1 - larger/(n-i)) has the fewer factors.
  const std::size_t factors = std::min(c, k);
  const double larger = static_cast<double>(std::max(c, k));
  double log_all_wrong = 0;
  for (std::size_t i = 0; i < factors; ++i) {
    log_all_wrong += std::log1p(-larger / static_cast<double>(n - i));
  }
  return -std::expm1(log_all_wrong);
}

double mean_pass_at_k(std::span<const SampleCounts> problems, std::size_t k) {
  return mean(per_problem(problems, k));
}

Interval bootstrap_pass_at_k(std::span<const SampleCounts> problems, std::size_t k,
                             std::uint64_t seed, double level, std::size_t resamples) {
  if (!(level > 0 && level < 1) || resamples == 0) {
    throw InputError(fmt::format(
        "bootstrap of {} resamples at level {}: need one resample or more and a level in (0, 1)",
        resamples, level));
  }
  const std::vector<double> values = per_problem(problems, k);
  const KeyedRandom random(seed);
  std::vector<double> means(resamples);
  for (std::size_t r = 0; r < resamples; ++r) {
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto drawn =
          static_cast<std::size_t>(random.uniform(r, i) * static_cast<double>(values.size()));
      sum += values[drawn];
    }
    means[r] = sum / static_cast<double>(values.size());
  }
  std::sort(means.begin(), means.end());
  const auto quantile = [&](double p) {  // linear between order statistics
    const double position = p * static_cast<double>(resamples - 1);
    const auto below = static_cast<std::size_t>(position);
    const std::size_t above = std::min(below + 1, resamples - 1);
    const double weight = position - static_cast<double>(below);
    return means[below] * (1 - weight) + means[above] * weight;
  };
  return {quantile((1 - level) / 2), quantile((1 + level) / 2)};
}

}  // namespace fbt::scorers
