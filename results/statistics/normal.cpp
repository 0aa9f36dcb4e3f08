#include "results/statistics/normal.h"

#include <algorithm>

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/normal.hpp>

namespace fbt::results {

double normal_cdf(double z) {
  return boost::math::cdf(boost::math::normal(), z);
}

double normal_quantile(double p) {
  return boost::math::quantile(boost::math::normal(), std::clamp(p, 1e-16, 1 - 1e-16));
}

double binomial_cdf(long long k, long long n, double p) {
  if (k < 0) return 0;
  if (k >= n) return 1;
  return boost::math::cdf(boost::math::binomial(static_cast<double>(n), p), static_cast<double>(k));
}

}  // namespace fbt::results
