#pragma once

// Exact evaluation in rational arithmetic.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gmpxx.h>

#include "scorers/math/ast.h"
#include "scorers/math/budget.h"

namespace fbt::scorers::math {

using ExactBindings = std::vector<std::pair<std::string, mpq_class>>;

// Numbers of more bits are never formed: 2005! fits, 2^{2^{49}} does not.
inline constexpr long kMaxExactBits = 1 << 16;

// The rational value of `node`, or nothing where it is irrational, undefined,
// too large or unknown. Degree signs and units are ignored, a % divides by 100.
std::optional<mpq_class> evaluate_exactly(const Node& node, const ExactBindings& bindings,
                                          Budget& budget);

// The same without variables, as an integer that fits a long.
std::optional<long> small_integer(const Node& node, Budget& budget);

}  // namespace fbt::scorers::math
