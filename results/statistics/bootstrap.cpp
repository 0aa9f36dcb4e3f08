#include "results/statistics/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "results/statistics/normal.h"
#include "results/statistics/resample.h"

namespace fbt::results {
namespace {

double acceleration_of(std::span<const double> numerators, std::span<const double> denominators,
                       double top, double bottom) {
  const std::size_t n = numerators.size();
  std::vector<double> left_out(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double rest = bottom - denominators[i];
    left_out[i] = rest > 0 ? (top - numerators[i]) / rest : top / bottom;
  }
  const double centre = mean(left_out);
  double squares = 0;
  double cubes = 0;
  for (const double value : left_out) {
    const double d = centre - value;
    squares += d * d;
    cubes += d * d * d;
  }
  return squares > 0 ? cubes / (6 * std::pow(squares, 1.5)) : 0;
}

}  // namespace

Bootstrap bootstrap_ratio(std::span<const double> numerators, std::span<const double> denominators,
                          const BootstrapOptions& options) {
  const std::size_t n = numerators.size();
  const double top = std::accumulate(numerators.begin(), numerators.end(), 0.0);
  const double bottom = std::accumulate(denominators.begin(), denominators.end(), 0.0);
  Bootstrap result;
  result.estimate_ = top / bottom;
  result.sorted_.reserve(static_cast<std::size_t>(options.resamples));
  ResampledIndices draw(options.seed, n);
  for (int resample = 0; resample < options.resamples; ++resample) {
    double drawn_top = 0;
    double drawn_bottom = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t index = draw.next();
      drawn_top += numerators[index];
      drawn_bottom += denominators[index];
    }
    result.sorted_.push_back(drawn_bottom > 0 ? drawn_top / drawn_bottom : result.estimate_);
  }
  std::sort(result.sorted_.begin(), result.sorted_.end());
  result.acceleration_ = acceleration_of(numerators, denominators, top, bottom);
  result.bias_ = normal_quantile(result.share_below(result.estimate_));
  return result;
}

Bootstrap bootstrap_mean(std::span<const double> values, const BootstrapOptions& options) {
  const std::vector<double> ones(values.size(), 1.0);
  return bootstrap_ratio(values, ones, options);
}

// Share of resamples below `value`, ties counting half (sums are discrete),
// kept off 0 and 1 by one resample.
double Bootstrap::share_below(double value) const {
  const double slack = 1e-12 * std::max(1.0, std::abs(value));
  const auto low = std::lower_bound(sorted_.begin(), sorted_.end(), value - slack);
  const auto high = std::upper_bound(low, sorted_.end(), value + slack);
  const auto count = static_cast<double>(sorted_.size());
  const double below =
      static_cast<double>(low - sorted_.begin()) + static_cast<double>(high - low) / 2;
  return std::clamp(below / count, 1 / (count + 1), count / (count + 1));
}

double Bootstrap::endpoint(double p) const {
  const double z = bias_ + normal_quantile(p);
  const double adjusted = normal_cdf(bias_ + z / (1 - acceleration_ * z));
  // Quantile by linear interpolation between order statistics.
  const double position = adjusted * static_cast<double>(sorted_.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted_.size() - 1);
  const double fraction = position - static_cast<double>(below);
  return sorted_[below] * (1 - fraction) + sorted_[above] * fraction;
}

Interval Bootstrap::interval(double level) const {
  return {endpoint((1 - level) / 2), endpoint((1 + level) / 2)};
}

double Bootstrap::confidence_below(double value) const {
  const double w = normal_quantile(share_below(value)) - bias_;
  const double p = normal_cdf(w / (1 + acceleration_ * w) - bias_);
  const double least = 1 / (static_cast<double>(sorted_.size()) + 1);
  return std::clamp(p, least, 1 - least);
}

double Bootstrap::p_above(double value) const {
  if (sorted_.front() == sorted_.back() && estimate_ <= value) return 1;
  return confidence_below(value);
}

double Bootstrap::p_below(double value) const {
  if (sorted_.front() == sorted_.back() && estimate_ >= value) return 1;
  return 1 - confidence_below(value);
}

double Bootstrap::p_two_sided(double value) const {
  return std::min(1.0, 2 * std::min(p_above(value), p_below(value)));
}

}  // namespace fbt::results
