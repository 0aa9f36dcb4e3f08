#pragma once

// Sets of real numbers: intervals, unions, inequalities in one unknown, isolated
// points, complements.

#include <optional>
#include <string>
#include <vector>

#include "scorers/math/ast.h"
#include "scorers/math/budget.h"

namespace fbt::scorers::math {

struct Span {
  const Node* low = nullptr;   // nullptr: -∞
  const Node* high = nullptr;  // nullptr: +∞
  bool low_closed = false;
  bool high_closed = false;

  Span() = default;
  Span(const Node* low_end, const Node* high_end, bool low_in = false, bool high_in = false)
      : low(low_end), high(high_end), low_closed(low_in), high_closed(high_in) {}
};

struct Region {
  std::vector<Span> spans;  // sorted and disjoint where `ordered`
  bool ordered = true;      // false: an end is no number, order unknown
  std::string unknown;      // the inequality's variable, or empty
};

// The set that `node` stands for, or nothing where it is none of these. Pairs in
// parentheses or brackets are read as intervals.
std::optional<Region> to_region(const Node& node, Arena& arena, Budget& budget);

// Whether `node` can only be a set of reals: an inequality, a union, a
// half-open or unbounded interval, ℝ.
bool is_region_only(const Node& node);

bool same_region(const Region& a, const Region& b, Budget& budget);

}  // namespace fbt::scorers::math
