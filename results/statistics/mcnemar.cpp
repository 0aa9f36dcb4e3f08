#include <algorithm>
#include <cmath>

#include "results/statistics/normal.h"
#include "results/statistics/paired.h"

namespace fbt::results {
namespace {

// Tango's score statistic for the hypothesis that the difference is `delta`.
double tango_statistic(double gained, double lost, double n, double delta) {
  const double a = 2 * n;
  const double b = -gained - lost + (2 * n - gained + lost) * delta;
  const double c = -lost * delta * (1 - delta);
  // Maximum-likelihood probability of "lost" under the hypothesis.
  const double q = (std::sqrt(std::max(0.0, b * b - 4 * a * c)) - b) / (2 * a);
  const double variance = n * (2 * q + delta * (1 - delta));
  const double distance = gained - lost - n * delta;
  if (variance <= 0) return distance == 0 ? 0 : std::copysign(1e300, distance);
  return distance / std::sqrt(variance);
}

}  // namespace

double mcnemar_two_sided(long long gained, long long lost) {
  return std::min(1.0, 2 * binomial_cdf(std::min(gained, lost), gained + lost, 0.5));
}

double mcnemar_worse(long long gained, long long lost) {
  return binomial_cdf(gained, gained + lost, 0.5);
}

double mcnemar_false_alarm_rate(long long discordant, double level) {
  // Both tails reject from the same count inwards.
  for (long long gained = discordant / 2; gained >= 0; --gained) {
    const double p = mcnemar_two_sided(gained, discordant - gained);
    if (p <= level) return p;
  }
  return 0;
}

Interval tango_interval(long long gained, long long lost, long long n, double level) {
  const double z = normal_quantile((1 + level) / 2);
  const auto b = static_cast<double>(gained);
  const auto c = static_cast<double>(lost);
  const auto count = static_cast<double>(n);
  // The statistic falls as delta grows: bisect for its crossing of `target`.
  const auto crossing = [&](double target, double low, double high) {
    for (int step = 0; step < 100; ++step) {
      const double middle = (low + high) / 2;
      (tango_statistic(b, c, count, middle) > target ? low : high) = middle;
    }
    return (low + high) / 2;
  };
  const double estimate = (b - c) / count;
  return {crossing(z, -1, estimate), crossing(-z, estimate, 1)};
}

}  // namespace fbt::results
