#include "scorers/pass_at_k.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <boost/multiprecision/cpp_int.hpp>

#include "base/error.h"

namespace fbt::scorers {
namespace {

using boost::multiprecision::cpp_int;
using boost::multiprecision::cpp_rational;

cpp_int binomial(unsigned n, unsigned k) {
  cpp_int value = 1;
  for (unsigned i = 0; i < k; ++i) value = value * (n - i) / (i + 1);
  return value;
}

// The definition, in exact arithmetic.
double slow_pass_at_k(unsigned n, unsigned c, unsigned k) {
  if (n - c < k) return 1;
  return cpp_rational(1 - cpp_rational(binomial(n - c, k), binomial(n, k))).convert_to<double>();
}

TEST(PassAtK, EqualsTheDefinitionEverywhereInSmall) {
  for (unsigned n = 1; n <= 25; ++n) {
    for (unsigned c = 0; c <= n; ++c) {
      for (unsigned k = 1; k <= n; ++k) {
        EXPECT_NEAR(pass_at_k({n, c}, k), slow_pass_at_k(n, c, k), 1e-14)
            << n << ' ' << c << ' ' << k;
      }
    }
  }
}

TEST(PassAtK, HandWorked) {
  EXPECT_DOUBLE_EQ(pass_at_k({10, 3}, 1), 0.3);
  // 1 - C(7,3)/C(10,3) = 1 - 35/120.
  EXPECT_NEAR(pass_at_k({10, 3}, 3), 85.0 / 120.0, 1e-15);
  EXPECT_EQ(pass_at_k({10, 0}, 5), 0.0);
  EXPECT_EQ(pass_at_k({10, 10}, 1), 1.0);
  EXPECT_EQ(pass_at_k({10, 8}, 3), 1.0);
}

TEST(PassAtK, StableForTenThousandSamples) {
  const unsigned cases[][3] = {{10000, 1, 1},    {10000, 1, 9999},  {10000, 5000, 3},
                               {10000, 2, 5000}, {10000, 100, 100}, {10000, 9999, 1}};
  for (const auto& [n, c, k] : cases) {
    const double exact = slow_pass_at_k(n, c, k);
    EXPECT_NEAR(pass_at_k({n, c}, k), exact, 1e-12 * exact) << n << ' ' << c << ' ' << k;
  }
}

TEST(PassAtK, RefusesWhatIsUndefined) {
  EXPECT_THROW(pass_at_k({3, 1}, 0), InputError);
  EXPECT_THROW(pass_at_k({3, 1}, 4), InputError);
  EXPECT_THROW(pass_at_k({3, 4}, 1), InputError);
  EXPECT_THROW(mean_pass_at_k({}, 1), InputError);
  const std::vector<SampleCounts> one = {{1, 1}};
  EXPECT_THROW(bootstrap_pass_at_k(one, 1, 0, 1.0), InputError);
  EXPECT_THROW(bootstrap_pass_at_k(one, 1, 0, 0.95, 0), InputError);
}

TEST(PassAtK, MeanIsOverProblems) {
  const std::vector<SampleCounts> problems = {{10, 10}, {10, 0}, {4, 1}};
  EXPECT_NEAR(mean_pass_at_k(problems, 1), (1 + 0 + 0.25) / 3, 1e-15);
}

TEST(Bootstrap, ReproducibleAndAboutTheNormalInterval) {
  std::vector<SampleCounts> problems;
  for (std::size_t i = 0; i < 400; ++i) problems.push_back({1, i % 4 == 0 ? 1u : 0u});
  const Interval a = bootstrap_pass_at_k(problems, 1, 7);
  const Interval b = bootstrap_pass_at_k(problems, 1, 7);
  EXPECT_EQ(a.low, b.low);
  EXPECT_EQ(a.high, b.high);
  EXPECT_NE(bootstrap_pass_at_k(problems, 1, 8).low + a.high, a.low + a.high);
  // p = 1/4, n = 400: the normal interval is p ± 1.96 sqrt(p (1-p) / n).
  const double half = 1.959964 * std::sqrt(0.25 * 0.75 / 400);
  EXPECT_NEAR(a.low, 0.25 - half, 0.005);
  EXPECT_NEAR(a.high, 0.25 + half, 0.005);
}

TEST(Bootstrap, NoSpreadNoWidth) {
  const std::vector<SampleCounts> problems(20, SampleCounts{10, 10});
  const Interval interval = bootstrap_pass_at_k(problems, 1, 1, 0.95, 100);
  EXPECT_EQ(interval.low, 1.0);
  EXPECT_EQ(interval.high, 1.0);
}

}  // namespace
}  // namespace fbt::scorers
