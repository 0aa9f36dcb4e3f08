#include "results/statistics/interval.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "results/statistics/bootstrap.h"
#include "results/statistics/normal.h"

namespace fbt::results {

Interval wilson_interval(double successes, double n, double level) {
  if (n <= 0) return {0, 1};
  const double z = normal_quantile((1 + level) / 2);
  const double p = successes / n;
  const double denominator = 1 + z * z / n;
  const double centre = (p + z * z / (2 * n)) / denominator;
  const double half = z * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / denominator;
  return {std::max(0.0, centre - half), std::min(1.0, centre + half)};
}

double mean(std::span<const double> values) {
  if (values.empty()) return 0;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double standard_deviation(std::span<const double> values) {
  if (values.size() < 2) return 0;
  const double centre = mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - centre) * (value - centre);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto upper = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), upper, values.end());
  if (values.size() % 2 == 1) return *upper;
  return (*upper + *std::max_element(values.begin(), upper)) / 2;
}

double clustered_standard_error(std::span<const double> values,
                                std::span<const std::string> clusters) {
  const double centre = mean(values);
  std::unordered_map<std::string, double> residuals;
  for (std::size_t i = 0; i < values.size(); ++i) residuals[clusters[i]] += values[i] - centre;
  const auto count = static_cast<double>(residuals.size());
  if (count < 2) return 0;
  double squares = 0;
  for (const auto& [cluster, residual] : residuals) squares += residual * residual;
  return std::sqrt(squares * count / (count - 1)) / static_cast<double>(values.size());
}

Interval normal_interval(double value, double standard_error, double level) {
  const double half = normal_quantile((1 + level) / 2) * standard_error;
  return {value - half, value + half};
}

bool is_binary(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return v == 0 || v == 1; });
}

bool has_clusters(std::span<const std::string> subjects) {
  return std::any_of(subjects.begin(), subjects.end(),
                     [&](const std::string& subject) { return subject != subjects.front(); });
}

Estimate estimate_score(std::span<const double> values, std::span<const std::string> subjects,
                        double level) {
  Estimate estimate;
  const auto n = static_cast<double>(values.size());
  estimate.value = mean(values);
  if (has_clusters(subjects)) {
    estimate.standard_error = clustered_standard_error(values, subjects);
    const Interval interval = normal_interval(estimate.value, estimate.standard_error, level);
    estimate.interval = {std::max(0.0, interval.low), std::min(1.0, interval.high)};
    estimate.method = "clustered by subject";
    return estimate;
  }
  const double deviation = standard_deviation(values);
  estimate.standard_error = n > 0 ? deviation / std::sqrt(n) : 0;
  // Among distributions on [0, 1] of one mean, right-or-wrong has the largest
  // variance: Wilson's interval also holds where all values are the same.
  if (is_binary(values) || deviation == 0) {
    estimate.interval = wilson_interval(estimate.value * n, n, level);
    estimate.method = "Wilson";
    return estimate;
  }
  estimate.interval = bootstrap_mean(values).interval(level);
  estimate.method = "BCa bootstrap";
  return estimate;
}

}  // namespace fbt::results
