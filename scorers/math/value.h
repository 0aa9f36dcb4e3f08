#pragma once

// Whether two expressions have the same value: exactly where they are rational, at
// several points in high precision otherwise.

#include "scorers/math/ast.h"
#include "scorers/math/budget.h"

namespace fbt::scorers::math {

enum class Comparison { kDifferent, kEqual, kUndecided };

struct ValueOptions {
  // Degree signs outside functions count as π/180.
  bool degrees_outside = false;
};

// Expressions only (no sets, tuples, relations …: kUndecided). Variables are matched
// by name; equal means equal wherever both are real (or, where they never are,
// at complex values), at several random points.
Comparison compare_values(const Node& a, const Node& b, Budget& budget,
                          const ValueOptions& options = {});

// Whether `decimal`, a literal of 12 digits or more (or one that ends in "…"), is
// `exact` rounded or cut to its digits.
bool is_rounding_of(const Node& decimal, const Node& exact, Budget& budget);

}  // namespace fbt::scorers::math
