#pragma once

// Sums, products and lists written with an ellipsis: 1 + 2 + … + n, 2·4·6 ⋯ 20,
// {1, 3, …, 99}, 1/2 + 1/4 + 1/8 + ….

#include "scorers/math/ast.h"
#include "scorers/math/budget.h"

namespace fbt::scorers::math {

bool has_ellipsis(const Node& node);

// `root` with every ellipsis spelled out whose terms follow a plain rule: the terms
// differ in numbers that change by equal steps, or by equal ratios. A kEllipsis stays
// where no rule fits all terms or, with two terms only, both rules do.
const Node& without_ellipses(const Node& root, Arena& arena, Budget& budget);

}  // namespace fbt::scorers::math
