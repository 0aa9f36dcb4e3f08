#pragma once

// The rule of a progression from its first terms and its last one.

#include <optional>
#include <vector>

#include "scorers/math/ast.h"
#include "scorers/math/budget.h"

namespace fbt::scorers::math {

struct Progression {
  const Node* term;   // the term number `index`, counted from 0
  const Node* index;  // the variable in `term`
  const Node* steps;  // the index of the last term: a number or an expression
};

// Terms of one shape whose numbers change by equal steps (2·3, 3·4, …, n(n+1)) or whose
// exponents do (1, x, x², …, x^n); nothing where they are not all of one rule.
// `leading`: two terms or more. `trailing`: the terms at the end, one or more.
std::optional<Progression> arithmetic_progression(const std::vector<const Node*>& leading,
                                                  const std::vector<const Node*>& trailing,
                                                  Arena& arena, Budget& budget);

// As above for rational numbers with equal ratios (3, 6, 12, …, 96).
std::optional<Progression> geometric_progression(const std::vector<const Node*>& leading,
                                                 const std::vector<const Node*>& trailing,
                                                 Arena& arena, Budget& budget);

}  // namespace fbt::scorers::math
