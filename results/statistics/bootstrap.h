#pragma once

// The nonparametric bootstrap over documents with bias-corrected and
// accelerated (BCa) intervals (Efron, JASA 82, 1987), for the mean of
// per-document values and for the ratio of two sums over documents. Paired
// comparisons bootstrap the differences of the pairs.

#include <cstdint>
#include <span>
#include <vector>

#include "results/statistics/interval.h"

namespace fbt::results {

struct BootstrapOptions {
  int resamples = 10'000;
  std::uint64_t seed = 20'260'808;
};

class Bootstrap {
 public:
  double estimate() const { return estimate_; }

  // The BCa interval of this coverage. Where all resamples are the same, that point.
  Interval interval(double level) const;

  // BCa endpoint: the true value lies below it with probability `p`.
  double endpoint(double p) const;

  // One-sided p-values by inverting the BCa interval: small where the truth is
  // shown to lie below (above) `value`. At least 1/(resamples + 1). Where all
  // resamples are the same: 1 if they do not lie on that side, else the least.
  double p_below(double value) const;
  double p_above(double value) const;
  // Twice the smaller, at most 1.
  double p_two_sided(double value) const;

 private:
  friend Bootstrap bootstrap_ratio(std::span<const double>, std::span<const double>,
                                   const BootstrapOptions&);
  double share_below(double value) const;
  // Level at which the BCa upper bound is `value`.
  double confidence_below(double value) const;

  double estimate_ = 0;
  double bias_ = 0;          // z0
  double acceleration_ = 0;  // a, from the jackknife
  std::vector<double> sorted_;
};

// Of the mean. Deterministic in values, order and options. Precondition: not empty.
Bootstrap bootstrap_mean(std::span<const double> values, const BootstrapOptions& options = {});

// Of sum(numerators) / sum(denominators), the pairs drawn together. Resamples
// whose denominators sum to zero count as the estimate. Precondition: same
// size, not empty, denominators sum to more than zero.
Bootstrap bootstrap_ratio(std::span<const double> numerators, std::span<const double> denominators,
                          const BootstrapOptions& options = {});

}  // namespace fbt::results
