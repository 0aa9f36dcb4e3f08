#pragma once

// The standard normal and the binomial distribution (Boost.Math).

namespace fbt::results {

double normal_cdf(double z);
// Quantile at p in (0, 1); p is kept off 0 and 1 by 1e-16.
double normal_quantile(double p);
// P(X <= k) for X ~ Binomial(n, p); 0 for k < 0.
double binomial_cdf(long long k, long long n, double p);

}  // namespace fbt::results
