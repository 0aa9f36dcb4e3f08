#pragma once

// Expressions of matrices, worked out cell by cell.

#include "scorers/math/ast.h"
#include "scorers/math/budget.h"

namespace fbt::scorers::math {

// Sums, multiples, products, powers and transposes (A^T), inverses up to 3 × 3: one
// matrix of expressions. `node` itself where it is none of these.
const Node& evaluate_matrices(const Node& node, Arena& arena, Budget& budget);

}  // namespace fbt::scorers::math
