#include "scorers/math/progression.h"

#include <utility>

#include "scorers/math/exact.h"
#include "scorers/math/rewrite.h"
#include "scorers/math/value.h"

namespace fbt::scorers::math {

namespace {

constexpr const char* kIndex = "term index";  // no answer can hold a variable of this name
constexpr long kMaxSteps = 2000;
constexpr std::size_t kMaxBits = 4096;  // of a term of a geometric progression

bool same_shape(const Node& a, const Node& b) {
  return a.kind == b.kind && a.text == b.text && !a.children.empty() &&
         a.children.size() == b.children.size();
}

bool is_power_of(mpz_class value, const mpz_class& base, long& exponent) {
  if (base < 2 || value < 1) return false;
  for (exponent = 0; value % base == 0; ++exponent) value /= base;
  return value == 1;
}

class RuleFinder {
 public:
  RuleFinder(Arena& arena, Budget& budget)
      : arena_(arena), budget_(budget), index_(arena.make(Kind::kVariable, {}, kIndex)) {}

  std::optional<Progression> find(const Node& first, const Node& second, const Node& last) {
    const Node* term = rule(first, second, last);
    if (term == nullptr || steps_ == nullptr) return std::nullopt;
    return Progression{term, &index_, steps_};
  }

 private:
  // The term of which `first` and `second` are numbers 0 and 1 and `last` is number
  // steps_; nullptr where their difference is none of numbers.
  const Node* rule(const Node& first, const Node& second, const Node& last) {
    if (!budget_.spend()) return nullptr;
    if (same_tree(first, second)) return same_tree(first, last) ? &first : nullptr;
    const Node* const steps_before = steps_;
    if (same_shape(first, second) && same_shape(first, last)) {
      if (const Node* term = by_part(first, second, last)) return term;
    } else if (const Node* shape = structured(first, second, last)) {
      const Node* as_first = lifted(first, *shape);
      const Node* as_second = lifted(second, *shape);
      const Node* as_last = lifted(last, *shape);
      if (as_first != nullptr && as_second != nullptr && as_last != nullptr) {
        if (const Node* term = by_part(*as_first, *as_second, *as_last)) return term;
      }
    }
    steps_ = steps_before;
    return by_difference(first, second, last);
  }

  const Node* by_part(const Node& first, const Node& second, const Node& last) {
    std::vector<const Node*> parts;
    for (std::size_t i = 0; i < first.children.size(); ++i) {
      parts.push_back(rule(first.child(i), second.child(i), last.child(i)));
      if (parts.back() == nullptr) return nullptr;
    }
    Node& term = arena_.make(first.kind);
    term = first;
    term.children = std::move(parts);
    return &term;
  }

  // first + d · index
  const Node* by_difference(const Node& first, const Node& second, const Node& last) {
    const auto step = difference(first, second);
    if (!step || *step == 0) return nullptr;
    const Node& d = arena_.number(*step);
    const Node& way = arena_.make(Kind::kSubtract, {&last, &first});
    const Node& steps = arena_.make(Kind::kDivide, {&way, &d});
    if (steps_ == nullptr) {
      steps_ = &steps;
    } else if (compare_values(*steps_, steps, budget_) != Comparison::kEqual) {
      return nullptr;
    }
    return &arena_.make(Kind::kAdd, {&first, &arena_.make(Kind::kMultiply, {&d, &index_})});
  }

  // second - first, where it is a number.
  std::optional<mpq_class> difference(const Node& first, const Node& second) {
    const auto from = evaluate_exactly(first, {}, budget_);
    const auto to = evaluate_exactly(second, {}, budget_);
    if (from && to) return mpq_class(*to - *from);
    const Node& gap = arena_.make(Kind::kSubtract, {&second, &first});  // n, n - 1, …
    for (const long step : {1L, -1L}) {
      if (compare_values(gap, arena_.number(step), budget_) == Comparison::kEqual) return step;
    }
    return std::nullopt;
  }

  // The term that shows what the others, written shorter, have in common with it.
  static const Node* structured(const Node& first, const Node& second, const Node& last) {
    for (const Node* node : {&last, &second, &first}) {
      if (node->is(Kind::kPower) || node->is(Kind::kDivide) || node->is(Kind::kMultiply)) {
        return node;
      }
    }
    return nullptr;
  }

  // 1 as x^0, x as x^1, 8 as 2^3, 3 as 3/1, a as a·1; nullptr where it is nothing of
  // the kind.
  const Node* lifted(const Node& node, const Node& shape) {
    if (same_shape(node, shape)) return &node;
    const Node& left = shape.child(0);
    const Node& one = arena_.number(1);
    if (shape.is(Kind::kPower)) {
      if (same_tree(node, left)) return &arena_.make(Kind::kPower, {&left, &one});
      if (!node.is(Kind::kNumber) || node.number->get_den() != 1) return nullptr;
      long exponent = 0;
      const bool power = *node.number == 1 ||
                         (left.is(Kind::kNumber) && left.number->get_den() == 1 &&
                          is_power_of(node.number->get_num(), left.number->get_num(), exponent));
      if (!power) return nullptr;
      return &arena_.make(Kind::kPower, {&left, &arena_.number(exponent)});
    }
    const bool factor = shape.is(Kind::kMultiply) && same_tree(node, shape.child(1));
    if (factor) return &arena_.make(Kind::kMultiply, {&one, &node});
    if (!node.is(Kind::kNumber) && !same_tree(node, left)) return nullptr;
    return &arena_.make(shape.kind, {&node, &one});
  }

  Arena& arena_;
  Budget& budget_;
  const Node& index_;
  const Node* steps_ = nullptr;
};

}  // namespace

std::optional<Progression> arithmetic_progression(const std::vector<const Node*>& leading,
                                                  const std::vector<const Node*>& trailing,
                                                  Arena& arena, Budget& budget) {
  const auto found = RuleFinder(arena, budget).find(*leading[0], *leading[1], *trailing.back());
  if (!found) return std::nullopt;
  const auto holds_at = [&](const Node& place, const Node& term) {
    const Node& expected = substitute(*found->term, kIndex, place, arena);
    return compare_values(expected, term, budget) == Comparison::kEqual;
  };
  for (std::size_t i = 2; i < leading.size(); ++i) {
    if (!holds_at(arena.number(static_cast<long>(i)), *leading[i])) return std::nullopt;
  }
  for (std::size_t i = 0; i < trailing.size(); ++i) {
    const Node& back = arena.number(static_cast<long>(trailing.size() - 1 - i));
    if (!holds_at(arena.make(Kind::kSubtract, {found->steps, &back}), *trailing[i])) {
      return std::nullopt;
    }
  }
  if (const auto steps = evaluate_exactly(*found->steps, {}, budget)) {
    const std::size_t shown = leading.size() + trailing.size();
    if (steps->get_den() != 1 || *steps < static_cast<long>(shown) - 1) return std::nullopt;
  }
  return found;
}

std::optional<Progression> geometric_progression(const std::vector<const Node*>& leading,
                                                 const std::vector<const Node*>& trailing,
                                                 Arena& arena, Budget& budget) {
  std::vector<mpq_class> first;
  std::vector<mpq_class> end;
  for (const auto& [nodes, values] : {std::pair{&leading, &first}, std::pair{&trailing, &end}}) {
    for (const Node* node : *nodes) {
      const auto value = evaluate_exactly(*node, {}, budget);
      if (!value || *value == 0) return std::nullopt;
      values->push_back(*value);
    }
  }
  const mpq_class ratio = first[1] / first[0];
  if (abs(ratio) == 1) return std::nullopt;
  std::vector<mpq_class> terms = {first[0]};
  const auto fits = [&](const std::vector<mpq_class>& shown, std::size_t from) {
    for (std::size_t i = 0; i < shown.size(); ++i) {
      if (terms[from + i] != shown[i]) return false;
    }
    return true;
  };
  while (terms.size() < first.size() + end.size() || terms.back() != end.back()) {
    const mpq_class next = terms.back() * ratio;
    const std::size_t size = mpz_sizeinbase(next.get_num().get_mpz_t(), 2) +
                             mpz_sizeinbase(next.get_den().get_mpz_t(), 2);
    if (size > kMaxBits || terms.size() > kMaxSteps || !budget.spend()) return std::nullopt;
    terms.push_back(next);
  }
  if (!fits(first, 0) || !fits(end, terms.size() - end.size())) return std::nullopt;
  const Node& index = arena.make(Kind::kVariable, {}, kIndex);
  const Node& power = arena.make(Kind::kPower, {&arena.number(ratio), &index});
  return Progression{&arena.make(Kind::kMultiply, {leading[0], &power}), &index,
                     &arena.number(static_cast<long>(terms.size()) - 1)};
}

}  // namespace fbt::scorers::math
