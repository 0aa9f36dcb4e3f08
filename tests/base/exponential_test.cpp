#include "base/exponential.h"

#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace fbt {
namespace {

// The largest relative difference from the C library's, which is right to one unit
// in the last place, over `count` numbers of [from, to).
template <typename Real>
Real worst_error(Real from, Real to, int count) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<Real> number(from, to);
  Real worst = 0;
  for (int i = 0; i < count; ++i) {
    const Real x = number(random);
    const Real right = std::exp(x);
    worst = std::max(worst, std::abs(exponential(x) - right) / right);
  }
  return worst;
}

TEST(Exponential, IsExpToTheTypesPrecision) {
  EXPECT_LT(worst_error<float>(-87, 88, 200000), 2e-7F);
  EXPECT_LT(worst_error<float>(-1, 1, 200000), 2e-7F);
  EXPECT_LT(worst_error<double>(-708, 709, 200000), 4e-16);
  EXPECT_LT(worst_error<double>(-1, 1, 200000), 4e-16);
  EXPECT_EQ(exponential(0.0F), 1.0F);
  EXPECT_EQ(exponential(0.0), 1.0);
}

template <typename Real>
void expect_ends() {
  const Real infinite = std::numeric_limits<Real>::infinity();
  EXPECT_TRUE(std::isnormal(exponential(-infinite)));
  EXPECT_LT(exponential(-infinite), 2 * std::numeric_limits<Real>::min());
  EXPECT_TRUE(std::isfinite(exponential(infinite)));
  EXPECT_TRUE(std::isnan(exponential(std::numeric_limits<Real>::quiet_NaN())));
}

TEST(Exponential, StaysWithinNormalNumbers) {
  expect_ends<float>();
  expect_ends<double>();
}

}  // namespace
}  // namespace fbt
