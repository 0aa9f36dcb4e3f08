#include <algorithm>

#include "scorers/math/comparer.h"
#include "scorers/math/matrix_algebra.h"
#include "scorers/math/rewrite.h"
#include "scorers/math/unit_vectors.h"

namespace fbt::scorers::math {

namespace {

constexpr std::size_t kMaxMembers = 200;

std::vector<const Node*> expanded(const std::vector<const Node*>& nodes, Arena& arena) {
  std::vector<const Node*> result;
  for (const Node* node : nodes) {
    for (const Node* value : alternatives(*node, arena)) result.push_back(value);
  }
  return result;
}

}  // namespace

// As sets: every member of one has an equal in the other, and the other way round.
Outcome Comparer::members(const std::vector<const Node*>& a, const std::vector<const Node*>& b,
                          const char* rule) {
  const std::vector<const Node*> left = expanded(a, arena_);
  const std::vector<const Node*> right = expanded(b, arena_);
  if (left.size() > kMaxMembers || right.size() > kMaxMembers) return {};
  // What an ellipsis stands for depends on the order; where it is not known, another
  // order or length may mean the same.
  const auto is_ellipsis = [](const Node* member) { return member->is(Kind::kEllipsis); };
  if (std::any_of(left.begin(), left.end(), is_ellipsis) ||
      std::any_of(right.begin(), right.end(), is_ellipsis)) {
    const Outcome ordered = in_order(left, right, rule);
    return ordered.equal() ? ordered : Outcome{};
  }
  std::vector<bool> matched(right.size());
  bool undecided = false;
  for (const Node* member : left) {
    bool found = false;
    // Unmatched partners first, so that a plain permutation costs few comparisons.
    for (const bool again : {false, true}) {
      for (std::size_t j = 0; j < right.size() && !found; ++j) {
        if (matched[j] != again) continue;
        const Outcome outcome = compare(*member, *right[j]);
        found = outcome.equal();
        undecided = undecided || outcome.comparison == Comparison::kUndecided;
        if (found) matched[j] = true;
      }
    }
    if (!found) {
      return {undecided ? Comparison::kUndecided : Comparison::kDifferent,
              undecided ? "undecided" : rule};
    }
  }
  // A list that repeats a member repeats it in both; a set need not.
  const bool as_listed = left.size() == right.size() && std::string_view(rule) == "list";
  for (std::size_t j = 0; j < right.size(); ++j) {
    if (matched[j]) continue;
    if (as_listed) return {Comparison::kDifferent, rule};
    const bool repeated = std::any_of(
        left.begin(), left.end(), [&](const Node* member) { return equal(*member, *right[j]); });
    if (!repeated) return {Comparison::kDifferent, rule};
  }
  return {Comparison::kEqual, rule};
}

Outcome Comparer::in_order(const std::vector<const Node*>& a, const std::vector<const Node*>& b,
                           const char* rule) {
  if (a.size() != b.size()) return {Comparison::kDifferent, rule};
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Outcome outcome = compare(*a[i], *b[i]);
    if (!outcome.equal()) {
      return {outcome.comparison,
              outcome.comparison == Comparison::kUndecided ? "undecided" : rule};
    }
  }
  return {Comparison::kEqual, rule};
}

Outcome Comparer::tuples(const Node& a, const Node& b) {
  if (a.is(Kind::kTuple) && b.is(Kind::kTuple)) {
    const bool interval_like = a.children.size() == 2 && a.open != '<' && b.open != '<';
    if (interval_like && (a.open != b.open || a.close != b.close)) {
      return {Comparison::kDifferent, "tuple"};
    }
    return in_order(a.children, b.children, "tuple");
  }
  const Node& tuple = a.is(Kind::kTuple) ? a : b;
  const Node& other = a.is(Kind::kTuple) ? b : a;
  // A bare list may stand for a tuple, in order; a set may not.
  if (other.is(Kind::kList)) {
    const Outcome as_tuple = in_order(tuple.children, other.children, "tuple");
    if (as_tuple.equal()) return as_tuple;
    return members({&a}, {&b}, "list");
  }
  if (const Node* vector = unit_vector_components(other, tuple.children.size(), arena_, budget_)) {
    return in_order(tuple.children, vector->children, "tuple");
  }
  return {Comparison::kDifferent, "tuple"};
}

// Piece by piece, in any order.
Outcome Comparer::piecewise(const Node& a, const Node& b) {
  if (a.children.size() != b.children.size()) return {};
  std::vector<bool> used(b.children.size());
  for (std::size_t i = 0; i < a.children.size(); i += 2) {
    bool found = false;
    for (std::size_t j = 0; j < b.children.size() && !found; j += 2) {
      found = !used[j] && equal(a.child(i), b.child(j)) && equal(a.child(i + 1), b.child(j + 1));
      if (found) used[j] = true;
    }
    if (!found) return {Comparison::kDifferent, "piecewise"};
  }
  return {Comparison::kEqual, "piecewise"};
}

Outcome Comparer::matrices(const Node& one, const Node& another) {
  const Node& a = evaluate_matrices(one, arena_, budget_);
  const Node& b = evaluate_matrices(another, arena_, budget_);
  const bool left = a.is(Kind::kMatrix);
  const bool right = b.is(Kind::kMatrix);
  if (left && right) {
    if (a.rows != b.rows) return {Comparison::kDifferent, "matrix"};
    return in_order(a.children, b.children, "matrix");
  }
  if (!left && !right) return scalars(a, b);
  const Node& matrix = left ? a : b;
  const Node& other = left ? b : a;
  // [[1, 2], [3, 4]]
  if (other.is(Kind::kTuple) && other.children.size() == static_cast<std::size_t>(matrix.rows)) {
    std::vector<const Node*> cells;
    for (const Node* row : other.children) {
      if (!row->is(Kind::kTuple)) break;
      cells.insert(cells.end(), row->children.begin(), row->children.end());
    }
    if (cells.size() == matrix.children.size()) return in_order(matrix.children, cells, "matrix");
  }
  // A vector may be written as a tuple.
  const bool vector =
      matrix.rows == 1 || static_cast<std::size_t>(matrix.rows) == matrix.children.size();
  if (vector && other.is(Kind::kTuple)) return in_order(matrix.children, other.children, "matrix");
  if (const Node* components =
          unit_vector_components(other, matrix.children.size(), arena_, budget_);
      vector && components != nullptr) {
    return in_order(matrix.children, components->children, "matrix");
  }
  return {Comparison::kDifferent, "matrix"};
}

}  // namespace fbt::scorers::math
