#include "harness/mechanism/lbfgs.h"

#include <cmath>

#include <gmock/gmock.h>

namespace fbt::mechanism {
namespace {

TEST(Lbfgs, FindsTheMinimumOfAnIllConditionedQuadratic) {
  constexpr std::size_t kSize = 20;
  const Objective quadratic = [](std::span<const double> x, std::span<double> gradient) {
    double value = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double curvature = std::pow(10.0, 0.2 * static_cast<double>(i));
      const double off = x[i] - static_cast<double>(i);
      value += curvature / 2 * off * off;
      gradient[i] = curvature * off;
    }
    return value;
  };
  std::vector<double> x(kSize, 5);
  const Minimum minimum = minimize(quadratic, x, {.tolerance = 1e-8});
  EXPECT_TRUE(minimum.converged);
  for (std::size_t i = 0; i < kSize; ++i) EXPECT_NEAR(x[i], static_cast<double>(i), 1e-7);
  EXPECT_NEAR(minimum.value, 0, 1e-12);
}

// Rosenbrock's valley is not convex and still has its minimum found.
TEST(Lbfgs, WalksRosenbrocksValley) {
  const Objective rosenbrock = [](std::span<const double> x, std::span<double> gradient) {
    const double bend = x[1] - x[0] * x[0];
    gradient[0] = -2 * (1 - x[0]) - 400 * x[0] * bend;
    gradient[1] = 200 * bend;
    return (1 - x[0]) * (1 - x[0]) + 100 * bend * bend;
  };
  std::vector<double> x = {-1.2, 1};
  EXPECT_TRUE(minimize(rosenbrock, x, {.tolerance = 1e-9}).converged);
  EXPECT_NEAR(x[0], 1, 1e-7);
  EXPECT_NEAR(x[1], 1, 1e-7);
}

TEST(Lbfgs, SaysSoWhereIterationsRunOut) {
  const Objective slow = [](std::span<const double> x, std::span<double> gradient) {
    gradient[0] = 4 * x[0] * x[0] * x[0];
    return x[0] * x[0] * x[0] * x[0];
  };
  std::vector<double> x = {100};
  const Minimum minimum = minimize(slow, x, {.max_iterations = 2, .tolerance = 1e-12});
  EXPECT_FALSE(minimum.converged);
  EXPECT_EQ(minimum.iterations, 2);
}

}  // namespace
}  // namespace fbt::mechanism
