#include "scorers/math/inequality.h"

#include <algorithm>

#include "scorers/math/exact.h"
#include "scorers/math/region_algebra.h"
#include "scorers/math/value.h"

namespace fbt::scorers::math {

namespace {

bool is_unknown(const Node& node) {
  return node.is(Kind::kVariable) || node.is(Kind::kApply);
}

bool is_constant(const Node& node) {
  return variables_of(node).empty() &&
         !any_node(node, [](const Node& part) { return part.is(Kind::kApply); });
}

bool is_infinity(const Node& node) {
  return node.is(Kind::kConstant) && node.text == "infty";
}

std::string name_of(const Node& unknown) {
  std::string name = unknown.text;
  for (const Node* child : unknown.children) name += '(' + child->text + ')';
  return name;
}

// x OP bound.
Region half_line(const Node& bound, char code) {
  Region region;
  const bool below = code == '<' || code == 'l';
  const bool closed = code == 'l' || code == 'g';
  Span span;
  if (is_infinity(bound)) {
    if (below) region.spans.push_back(span);
    return region;
  }
  if (bound.is(Kind::kNegate) && is_infinity(bound.child(0))) {
    if (!below) region.spans.push_back(span);
    return region;
  }
  if (below) {
    span.high = &bound;
    span.high_closed = closed;
  } else {
    span.low = &bound;
    span.low_closed = closed;
  }
  region.spans.push_back(span);
  return region;
}

char mirrored(char code) {
  switch (code) {
    case '<':
      return '>';
    case '>':
      return '<';
    case 'l':
      return 'g';
    case 'g':
      return 'l';
    default:
      return code;
  }
}

// c0 + c1 x + c2 x², exactly.
struct Quadratic {
  mpq_class c0, c1, c2;
};

std::optional<Quadratic> as_quadratic(const Node& node, const std::string& unknown,
                                      Budget& budget) {
  const auto at = [&](long x) { return evaluate_exactly(node, {{unknown, mpq_class(x)}}, budget); };
  const auto f0 = at(0), f1 = at(1), f2 = at(2), f3 = at(-3), f7 = at(7);
  if (!f0 || !f1 || !f2 || !f3 || !f7) return std::nullopt;
  Quadratic q;
  q.c0 = *f0;
  q.c2 = (*f2 - 2 * *f1 + *f0) / 2;
  q.c1 = *f1 - *f0 - q.c2;
  const auto fits = [&](long x, const mpq_class& value) {
    return q.c0 + q.c1 * x + q.c2 * x * x == value;
  };
  if (!fits(-3, *f3) || !fits(7, *f7)) return std::nullopt;
  return q;
}

class Solver {
 public:
  Solver(Arena& arena, Budget& budget) : arena_(arena), budget_(budget) {}

  std::optional<Region> single(const Node& left, char code, const Node& right) {
    if (code == 'e') {
      if (!is_unknown(left)) return std::nullopt;
      return named(to_region(right, arena_, budget_), left);
    }
    if (is_unknown(left) && is_constant(right)) return named(compared(right, code), left);
    if (is_unknown(right) && is_constant(left)) {
      return named(compared(left, mirrored(code)), right);
    }
    if (code == '=') return std::nullopt;  // equations are compared as equations
    std::vector<std::string> names = variables_of(left);
    for (std::string& name : variables_of(right)) names.push_back(std::move(name));
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    if (names.size() != 1) return std::nullopt;
    if (left.is_function("abs") && is_constant(right)) {
      return absolute(left.child(0), code, right, names[0]);
    }
    if (right.is_function("abs") && is_constant(left)) {
      return absolute(right.child(0), mirrored(code), left, names[0]);
    }
    const Node& difference = arena_.make(Kind::kSubtract, {&left, &right});
    return polynomial(difference, code, names[0]);
  }

 private:
  static std::optional<Region> named(std::optional<Region> region, const Node& unknown) {
    if (region) region->unknown = name_of(unknown);
    return region;
  }

  // x OP bound, for one bound or (x ≠ ±5, x = ±2) several.
  std::optional<Region> compared(const Node& bound, char code) {
    if (code != 'n' && code != '=') return half_line(bound, code);
    Region points;
    std::vector<const Node*> values = {&bound};
    if (bound.is(Kind::kPlusMinus)) {
      const Node& size = bound.child(bound.children.size() - 1);
      if (bound.children.size() != 1) return std::nullopt;
      values = {&size, &arena_.make(Kind::kNegate, {&size})};
    }
    for (const Node* value : values) points = unite(points, point(*value), budget_);
    return code == '=' ? points : complement(points);
  }

  // |inner| OP bound is -bound OP' inner OP bound.
  std::optional<Region> absolute(const Node& inner, char code, const Node& bound,
                                 const std::string& unknown) {
    if (code == '=' || code == 'n') return std::nullopt;
    const Node& negative = arena_.make(Kind::kNegate, {&bound});
    const auto above = linear_against(inner, code, bound, unknown);
    const auto below = linear_against(inner, mirrored(code), negative, unknown);
    if (!above || !below) return std::nullopt;
    const bool inside = code == '<' || code == 'l';
    return inside ? intersect(*above, *below, budget_) : unite(*above, *below, budget_);
  }

  std::optional<Region> linear_against(const Node& inner, char code, const Node& bound,
                                       const std::string& unknown) {
    const auto line = as_quadratic(inner, unknown, budget_);
    if (!line || line->c2 != 0 || line->c1 == 0) return std::nullopt;
    // c0 + c1 x OP bound: x OP (bound - c0) / c1
    const Node& shifted = arena_.make(Kind::kSubtract, {&bound, &arena_.number(line->c0)});
    const Node& limit = arena_.make(Kind::kDivide, {&shifted, &arena_.number(line->c1)});
    Region region = half_line(limit, line->c1 > 0 ? code : mirrored(code));
    region.unknown = unknown;
    return region;
  }

  std::optional<Region> polynomial(const Node& difference, char code, const std::string& unknown) {
    const auto q = as_quadratic(difference, unknown, budget_);
    if (!q) return std::nullopt;
    if (q->c2 == 0) {
      if (q->c1 == 0) return std::nullopt;
      const Node& zero = arena_.number(-q->c0 / q->c1);
      auto region = compared(zero, q->c1 > 0 ? code : mirrored(code));
      if (region) region->unknown = unknown;
      return region;
    }
    const mpq_class discriminant = q->c1 * q->c1 - 4 * q->c2 * q->c0;
    if (discriminant <= 0) return std::nullopt;
    // The smaller root comes first whatever the sign of c2.
    const Node& root = arena_.make(Kind::kFunction, {&arena_.number(discriminant)}, "sqrt");
    const Node& centre = arena_.number(-q->c1 / (2 * q->c2));
    const Node& half = arena_.make(Kind::kDivide, {&root, &arena_.number(abs(2 * q->c2))});
    const Node& low = arena_.make(Kind::kSubtract, {&centre, &half});
    const Node& high = arena_.make(Kind::kAdd, {&centre, &half});
    Region region;
    region.unknown = unknown;
    if (code == '=' || code == 'n') {
      region.spans = {{&low, &low, true, true}, {&high, &high, true, true}};
      return code == '=' ? region : complement(region);
    }
    const bool closed = code == 'l' || code == 'g';
    const bool negative = code == '<' || code == 'l';
    Region between;
    between.unknown = unknown;
    between.spans = {{&low, &high, closed, closed}};
    if (negative == (q->c2 > 0)) return between;
    region.spans = {{nullptr, &low, false, closed}, {&high, nullptr, closed, false}};
    return region;
  }

  Arena& arena_;
  Budget& budget_;
};

}  // namespace

std::optional<Region> solve_inequality(const Node& relation, Arena& arena, Budget& budget) {
  if (!relation.is(Kind::kRelation)) return std::nullopt;
  static constexpr std::string_view kSupported = "<>lgn=e";
  if (relation.text.find_first_not_of(kSupported) != std::string::npos) return std::nullopt;
  Solver solver(arena, budget);
  std::optional<Region> result;
  for (std::size_t i = 0; i < relation.text.size(); ++i) {
    auto part = solver.single(relation.child(i), relation.text[i], relation.child(i + 1));
    if (!part) return std::nullopt;
    if (result && result->unknown != part->unknown) return std::nullopt;
    result = result ? intersect(*result, *part, budget) : std::move(part);
  }
  return result;
}

}  // namespace fbt::scorers::math
