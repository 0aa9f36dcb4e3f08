#include "scorers/math/comparer.h"

#include "scorers/math/region.h"
#include "scorers/math/vocabulary.h"

namespace fbt::scorers::math {

namespace {

const Node& stripped(const Node& node) {
  const Node* inner = &node;
  while (inner->is(Kind::kQuantity)) inner = inner->children[0];
  return *inner;
}

bool holds(const Node& node, Kind kind) {
  return any_node(node, [kind](const Node& part) { return part.is(kind); });
}

bool states_relation(const Node& node) {
  if (node.is(Kind::kRelation)) return true;
  if (!node.is(Kind::kList)) return false;
  for (const Node* child : node.children) {
    if (child->is(Kind::kRelation)) return true;
  }
  return false;
}

bool is_collection(const Node& node) {
  return node.is(Kind::kList) || node.is(Kind::kSet);
}

}  // namespace

Outcome Comparer::compare(const Node& gold, const Node& predicted) {
  if (depth_ >= kMaxDepth || !budget_.spend()) return {Comparison::kUndecided, "undecided"};
  ++depth_;
  Outcome outcome = dispatch(stripped(gold), stripped(predicted));
  if (!outcome.equal() && gold.is(Kind::kQuantity) && predicted.is(Kind::kQuantity)) {
    const Outcome converted = in_common_unit(gold, predicted);
    if (converted.equal()) outcome = converted;
  }
  --depth_;
  return outcome;
}

// 45 minutes is 3/4 hour.
Outcome Comparer::in_common_unit(const Node& a, const Node& b) {
  const auto left = unit_scale(a.text);
  const auto right = unit_scale(b.text);
  if (!left || !right || left->dimension != right->dimension) return {};
  const auto scaled = [this](const Node& quantity, const UnitScale& scale) -> const Node& {
    return arena_.make(Kind::kMultiply, {&stripped(quantity), &arena_.number(scale.numerator)});
  };
  return {compare_values(scaled(a, *left), scaled(b, *right), budget_), "unit"};
}

Outcome Comparer::dispatch(const Node& a, const Node& b) {
  // 3:05 and 3:5 are the same numbers but not the same time.
  if (!a.is(Kind::kRatio) && same_tree(a, b)) return {Comparison::kEqual, "form"};

  if (is_region_only(a) || is_region_only(b)) {
    const Outcome outcome = regions(a, b);
    if (outcome.comparison != Comparison::kUndecided) return outcome;
  }
  if (a.is(Kind::kPiecewise) && b.is(Kind::kPiecewise)) return piecewise(a, b);
  if (a.is(Kind::kModulo) && b.is(Kind::kModulo)) return residue_classes(a, b);
  // x ≡ 4 (mod 11) against its residue.
  if (a.is(Kind::kModulo) && a.child(0).is(Kind::kRelation)) {
    return compare(*a.child(0).children.back(), b);
  }
  if (b.is(Kind::kModulo) && b.child(0).is(Kind::kRelation)) {
    return compare(a, *b.child(0).children.back());
  }
  if (states_relation(a) || states_relation(b)) return relations(a, b);
  if (a.is(Kind::kText) || b.is(Kind::kText)) {
    // "infinitely many" may be written ∞.
    const auto endless = [](const Node& node) {
      return (node.is(Kind::kText) && node.text.starts_with("infinitely many")) ||
             (node.is(Kind::kConstant) && node.text == "infty");
    };
    if (endless(a) && endless(b)) return {Comparison::kEqual, "text"};
    return {Comparison::kDifferent, "text"};
  }
  if (holds(a, Kind::kMatrix) || holds(b, Kind::kMatrix)) {
    return matrices(a, b);
  }
  if (a.is(Kind::kTuple) || b.is(Kind::kTuple)) return tuples(a, b);
  if (is_collection(a) || is_collection(b) || holds(a, Kind::kPlusMinus) ||
      holds(b, Kind::kPlusMinus)) {
    return members({&a}, {&b}, a.is(Kind::kSet) || b.is(Kind::kSet) ? "set" : "list");
  }
  return scalars(a, b);
}

Outcome Comparer::regions(const Node& a, const Node& b) {
  // A pair is an interval only against something that must be one; two pairs are
  // compared as pairs, which tells (1,2) from [1,2] as well.
  if (a.is(Kind::kTuple) && b.is(Kind::kTuple)) return {};
  const auto left = to_region(a, arena_, budget_);
  const auto right = to_region(b, arena_, budget_);
  if (!left || !right) return {};
  const bool same = same_region(*left, *right, budget_);
  return {same ? Comparison::kEqual : Comparison::kDifferent, "region"};
}

}  // namespace fbt::scorers::math
