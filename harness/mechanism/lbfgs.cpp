#include "harness/mechanism/lbfgs.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <numeric>

namespace fbt::mechanism {
namespace {

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// a + factor * b
void add_scaled(Vector& a, double factor, const Vector& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += factor * b[i];
}

double largest(const Vector& a) {
  double most = 0;
  for (const double value : a) most = std::max(most, std::abs(value));
  return most;
}

struct Correction {
  Vector step;             // s
  Vector gradient_change;  // y
  double curvature;        // s · y > 0
};

// The two-loop recursion: -H · gradient.
Vector descent_direction(const Vector& gradient, const std::deque<Correction>& corrections) {
  Vector direction = gradient;
  Vector alphas(corrections.size());
  for (std::size_t i = corrections.size(); i-- > 0;) {
    const Correction& c = corrections[i];
    alphas[i] = dot(c.step, direction) / c.curvature;
    add_scaled(direction, -alphas[i], c.gradient_change);
  }
  // The scale of the inverse Hessian: of the last pair, or a first step of length 1 at most.
  const double scale = corrections.empty()
                           ? 1 / std::max(1.0, std::sqrt(dot(gradient, gradient)))
                           : corrections.back().curvature / dot(corrections.back().gradient_change,
                                                                corrections.back().gradient_change);
  for (double& value : direction) value *= -scale;
  for (std::size_t i = 0; i < corrections.size(); ++i) {
    const Correction& c = corrections[i];
    const double beta = dot(c.gradient_change, direction) / c.curvature;
    add_scaled(direction, -alphas[i] - beta, c.step);
  }
  return direction;
}

struct Point {
  Vector x;
  Vector gradient;
  double value = 0;
};

// Finds a step along `direction` that lowers the value and flattens the slope
// enough (c1 = 1e-4, c2 = 0.9); false where rounding leaves none.
bool line_search(const Objective& objective, const Point& from, const Vector& direction,
                 Point& to) {
  constexpr int kTries = 60;
  const double slope = dot(from.gradient, direction);
  // Near the minimum the value's own rounding hides the descent; the slope still shows it.
  const double rounding = 4 * std::numeric_limits<double>::epsilon() * std::abs(from.value);
  double low = 0;
  double high = std::numeric_limits<double>::infinity();
  double step = 1;
  for (int i = 0; i < kTries; ++i) {
    to.x = from.x;
    add_scaled(to.x, step, direction);
    to.value = objective(to.x, to.gradient);
    if (!(to.value <= from.value + 1e-4 * step * slope + rounding)) {
      high = step;
    } else if (dot(to.gradient, direction) < 0.9 * slope) {
      low = step;
    } else {
      return true;
    }
    step = std::isinf(high) ? 2 * step : (low + high) / 2;
  }
  return false;
}

}  // namespace

Minimum minimize(const Objective& objective, std::vector<double>& x, const LbfgsOptions& options) {
  Point at{x, Vector(x.size()), 0};
  at.value = objective(at.x, at.gradient);
  Point next{{}, Vector(x.size()), 0};
  std::deque<Correction> corrections;
  Minimum minimum;
  while (largest(at.gradient) > options.tolerance && minimum.iterations < options.max_iterations) {
    if (!line_search(objective, at, descent_direction(at.gradient, corrections), next)) break;
    Correction correction{next.x, next.gradient, 0};
    add_scaled(correction.step, -1, at.x);
    add_scaled(correction.gradient_change, -1, at.gradient);
    correction.curvature = dot(correction.step, correction.gradient_change);
    if (correction.curvature > 0) corrections.push_back(std::move(correction));
    if (corrections.size() > static_cast<std::size_t>(options.memory)) corrections.pop_front();
    std::swap(at, next);
    ++minimum.iterations;
  }
  minimum.value = at.value;
  minimum.converged = largest(at.gradient) <= options.tolerance;
  x = std::move(at.x);
  return minimum;
}

}  // namespace fbt::mechanism
