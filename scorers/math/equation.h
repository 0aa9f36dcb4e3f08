#pragma once

// Whether two equations, or two inequalities, in the same unknowns say the same.

#include "scorers/math/ast.h"
#include "scorers/math/budget.h"
#include "scorers/math/value.h"

namespace fbt::scorers::math {

// Of left1 = right1 and left2 = right2: proportional, or with the same zeros (found by
// Newton's method from random points, tried both ways).
Comparison same_equation(const Node& a, const Node& b, Arena& arena, Budget& budget);

// Of single inequalities with operators < l > g: positive multiples of one another.
Comparison same_inequality(const Node& a, const Node& b, Arena& arena, Budget& budget);

}  // namespace fbt::scorers::math
