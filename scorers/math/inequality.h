#pragma once

// Solving inequalities in one unknown.

#include <optional>

#include "scorers/math/region.h"

namespace fbt::scorers::math {

// The region of a relation made of <, ≤, >, ≥, ≠, = or ∈ (chains too): one unknown,
// linear, quadratic or the absolute value of a linear expression. Nothing where
// it is not such a relation.
std::optional<Region> solve_inequality(const Node& relation, Arena& arena, Budget& budget);

}  // namespace fbt::scorers::math
