#include "scorers/math/region.h"

#include <algorithm>

#include "scorers/math/inequality.h"
#include "scorers/math/region_algebra.h"
#include "scorers/math/value.h"

namespace fbt::scorers::math {

namespace {

bool is_infinity(const Node& node, bool negative) {
  if (negative) return node.is(Kind::kNegate) && is_infinity(node.child(0), false);
  return node.is(Kind::kConstant) && node.text == "infty";
}

std::optional<Region> interval(const Node& tuple, Budget& budget) {
  if (tuple.children.size() != 2 || tuple.open == '<') return std::nullopt;
  Span span;
  const Node& low = tuple.child(0);
  const Node& high = tuple.child(1);
  span.low_closed = tuple.open == '[';
  span.high_closed = tuple.close == ']';
  if (!is_infinity(low, true)) span.low = &low;
  if (!is_infinity(high, false)) span.high = &high;
  if (is_infinity(low, false) || is_infinity(high, true)) return std::nullopt;
  Region region;
  region.spans.push_back(span);
  if (!normalise(region, budget)) return std::nullopt;
  return region;
}

bool excludes_points(const Node& node) {
  return node.is(Kind::kRelation) && node.text == "n";
}

// "x < 1 or x > 2" is a union, "x > 1 and x < 2" an intersection; with mere commas,
// points that are excluded are excluded from all, and anything else is alternatives.
std::optional<Region> listed(const Node& list, Arena& arena, Budget& budget) {
  std::vector<const Node*> parts = list.children;
  std::stable_partition(parts.begin(), parts.end(),
                        [](const Node* part) { return !excludes_points(*part); });
  const bool all_exclude = excludes_points(*parts.front());
  std::optional<Region> result;
  for (const Node* child : parts) {
    const bool together =
        list.text == "and" || (excludes_points(*child) && (list.text != "or" || all_exclude));
    if (!child->is(Kind::kRelation) && !child->is(Kind::kTuple) &&
        !child->is(Kind::kSetOperation) && !child->is(Kind::kSet)) {
      return std::nullopt;
    }
    const auto part = to_region(*child, arena, budget);
    if (!part) return std::nullopt;
    if (!result) {
      result = part;
    } else if (result->unknown != part->unknown) {
      return std::nullopt;
    } else {
      result = together ? intersect(*result, *part, budget) : unite(*result, *part, budget);
    }
  }
  if (result && result->spans.empty()) return std::nullopt;
  return result;
}

bool is_relation_list(const Node& node) {
  if (!node.is(Kind::kList)) return false;
  for (const Node* child : node.children) {
    if (!is_region_only(*child)) return false;
  }
  return true;
}

}  // namespace

bool is_region_only(const Node& node) {
  switch (node.kind) {
    case Kind::kSetOperation:
      return true;
    case Kind::kSetBuilder:
      return true;
    case Kind::kDomain:
      return node.text[0] == 'R' || node.text == "empty";
    case Kind::kRelation:
      return node.text.find_first_of("<>lgn") != std::string::npos ||
             (node.text == "e" && is_region_only(node.child(1)));
    case Kind::kTuple:
      return node.children.size() == 2 && node.open != '<' &&
             (node.open == '[' || node.close == ']' || is_infinity(node.child(0), true) ||
              is_infinity(node.child(1), false));
    case Kind::kList:
      return is_relation_list(node);
    default:
      return false;
  }
}

std::optional<Region> to_region(const Node& node, Arena& arena, Budget& budget) {
  switch (node.kind) {
    case Kind::kTuple:
      return interval(node, budget);
    case Kind::kDomain: {
      if (node.text == "empty") return Region{};
      if (node.text == "R") return whole_line();
      if (node.text == "R+" || node.text == "R-") {
        const Node& zero = arena.number(0);
        Region half;
        half.spans.push_back(node.text == "R+" ? Span{&zero, nullptr} : Span{nullptr, &zero});
        return half;
      }
      return std::nullopt;
    }
    case Kind::kSet: {
      Region region;
      for (const Node* child : node.children) region = unite(region, point(*child), budget);
      return region;
    }
    case Kind::kSetBuilder: {
      if (node.children.size() > 2) return std::nullopt;  // integers, say
      auto region = to_region(node.child(1), arena, budget);
      if (region) region->unknown.clear();
      return region;
    }
    case Kind::kSetOperation: {
      const auto left = to_region(node.child(0), arena, budget);
      const auto right = to_region(node.child(1), arena, budget);
      if (!left || !right) return std::nullopt;
      if (node.text == "cup") return unite(*left, *right, budget);
      if (!left->ordered || !right->ordered) return std::nullopt;
      if (node.text == "cap") return intersect(*left, *right, budget);
      return intersect(*left, complement(*right), budget);
    }
    case Kind::kRelation:
      return solve_inequality(node, arena, budget);
    case Kind::kList:
      return listed(node, arena, budget);
    default:
      return std::nullopt;
  }
}

namespace {

bool same_end(const Node* a, const Node* b, Budget& budget) {
  if (a == nullptr || b == nullptr) return a == b;
  return compare_values(*a, *b, budget) == Comparison::kEqual;
}

bool same_span(const Span& a, const Span& b, Budget& budget) {
  return a.low_closed == b.low_closed && a.high_closed == b.high_closed &&
         same_end(a.low, b.low, budget) && same_end(a.high, b.high, budget);
}

}  // namespace

bool same_region(const Region& a, const Region& b, Budget& budget) {
  if (a.spans.size() != b.spans.size()) return false;
  if (!a.unknown.empty() && !b.unknown.empty() && a.unknown != b.unknown) return false;
  std::vector<bool> used(b.spans.size());
  for (std::size_t i = 0; i < a.spans.size(); ++i) {
    bool found = false;
    for (std::size_t j = 0; j < b.spans.size() && !found; ++j) {
      // Ordered regions match span by span; others in any order.
      if (used[j] || (a.ordered && b.ordered && j != i)) continue;
      found = same_span(a.spans[i], b.spans[j], budget);
      if (found) used[j] = true;
    }
    if (!found) return false;
  }
  return true;
}

}  // namespace fbt::scorers::math
