#pragma once

// Limited-memory BFGS (Liu and Nocedal, Mathematical Programming 45, 1989) for
// smooth convex functions, with a bisecting line search for the weak Wolfe
// conditions.

#include <functional>
#include <span>
#include <vector>

namespace fbt::mechanism {

struct LbfgsOptions {
  int memory = 10;  // pairs kept
  int max_iterations = 1000;
  double tolerance = 1e-5;  // of the gradient's largest entry
};

// The value at `x`; writes the gradient, as long as `x`.
using Objective = std::function<double(std::span<const double> x, std::span<double> gradient)>;

struct Minimum {
  double value = 0;
  int iterations = 0;
  bool converged = false;  // the tolerance was reached
};

// Moves `x` from where it stands to the minimum.
Minimum minimize(const Objective& objective, std::vector<double>& x,
                 const LbfgsOptions& options = {});

}  // namespace fbt::mechanism
