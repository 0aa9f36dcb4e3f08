#pragma once

// Numbers too large to write out, compared by their residues modulo several primes.

#include <optional>

#include "scorers/math/ast.h"
#include "scorers/math/budget.h"

namespace fbt::scorers::math {

// Whether two constants made of integers, + - × ÷, integer powers (towers too),
// factorials and binomials are the same number; nothing where one holds anything
// else. Wrong with a chance below 2^-60 for numbers not chosen against it.
std::optional<bool> same_residues(const Node& a, const Node& b, Budget& budget);

}  // namespace fbt::scorers::math
