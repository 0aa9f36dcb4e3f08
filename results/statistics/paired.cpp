#include "results/statistics/paired.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "results/statistics/bootstrap.h"
#include "results/statistics/normal.h"

namespace fbt::results {
namespace {

void compare_binary(std::span<const double> differences, double level, PairedComparison& result) {
  result.test = "exact McNemar";
  const auto gained = std::count(differences.begin(), differences.end(), 1.0);
  const auto lost = std::count(differences.begin(), differences.end(), -1.0);
  result.p = mcnemar_two_sided(gained, lost);
  result.p_worse = mcnemar_worse(gained, lost);
  result.interval = tango_interval(gained, lost, static_cast<long long>(differences.size()), level);
}

void compare_bootstrap(std::span<const double> differences, double level,
                       PairedComparison& result) {
  result.test = "paired bootstrap";
  // Nothing to resample where no document differs; of all differences within
  // [-1, 1], those of right or wrong vary most, so Tango's interval holds.
  if (std::all_of(differences.begin(), differences.end(), [](double d) { return d == 0; })) {
    result.interval = tango_interval(0, 0, static_cast<long long>(differences.size()), level);
    return;
  }
  const Bootstrap bootstrap = bootstrap_mean(differences);
  result.interval = bootstrap.interval(level);
  result.p = bootstrap.p_two_sided(0);
  result.p_worse = bootstrap.p_below(0);
}

}  // namespace

std::vector<double> holm(std::span<const double> p_values) {
  const std::size_t m = p_values.size();
  std::vector<std::size_t> order(m);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return p_values[a] < p_values[b]; });
  std::vector<double> adjusted(m);
  double largest = 0;
  for (std::size_t rank = 0; rank < m; ++rank) {
    const double scaled = static_cast<double>(m - rank) * p_values[order[rank]];
    largest = std::max(largest, std::min(1.0, scaled));
    adjusted[order[rank]] = largest;
  }
  return adjusted;
}

double minimal_detectable_difference(double deviation, double n, double level, double power) {
  if (n <= 0) return 1;
  return (normal_quantile(1 - level / 2) + normal_quantile(power)) * deviation / std::sqrt(n);
}

PairedComparison compare_paired(std::span<const double> first, std::span<const double> second,
                                std::span<const std::string> subjects, double level) {
  std::vector<double> differences(first.size());
  std::transform(second.begin(), second.end(), first.begin(), differences.begin(), std::minus<>());
  if (has_clusters(subjects)) {
    return compare_normal(mean(differences), clustered_standard_error(differences, subjects),
                          first.size(), "clustered z", level);
  }
  PairedComparison result;
  result.documents = first.size();
  result.difference = mean(differences);
  const auto n = static_cast<double>(first.size());
  result.standard_error = standard_deviation(differences) / std::sqrt(n);
  if (is_binary(first) && is_binary(second)) {
    compare_binary(differences, level, result);
  } else {
    compare_bootstrap(differences, level, result);
  }
  result.detectable =
      minimal_detectable_difference(result.standard_error * std::sqrt(n), n, 1 - level);
  return result;
}

PairedComparison compare_normal(double difference, double standard_error, std::size_t documents,
                                const std::string& test, double level) {
  PairedComparison result;
  result.documents = documents;
  result.difference = difference;
  result.standard_error = standard_error;
  result.test = test;
  result.interval = normal_interval(difference, standard_error, level);
  result.detectable = minimal_detectable_difference(standard_error, 1, 1 - level);
  if (standard_error > 0) {
    const double z = difference / standard_error;
    result.p = 2 * normal_cdf(-std::abs(z));
    result.p_worse = normal_cdf(z);
  }
  return result;
}

PairedRatio compare_ratio(std::span<const double> first, std::span<const double> second,
                          double level) {
  PairedRatio result;
  result.documents = first.size();
  if (std::accumulate(first.begin(), first.end(), 0.0) <= 0) return result;
  const Bootstrap bootstrap = bootstrap_ratio(second, first);
  const Interval interval = bootstrap.interval(level);
  result.change = bootstrap.estimate() - 1;
  result.interval = {interval.low - 1, interval.high - 1};
  result.p = bootstrap.p_two_sided(1);
  result.p_grown = bootstrap.p_above(1);
  return result;
}

}  // namespace fbt::results
