#include "scorers/math/ellipsis.h"

#include <algorithm>

#include "scorers/math/exact.h"
#include "scorers/math/progression.h"
#include "scorers/math/rewrite.h"
#include "scorers/math/value.h"

namespace fbt::scorers::math {

namespace {

constexpr long kMaxMembers = 200;  // of a list that is written out

bool is_ellipsis(const Node* node) {
  return node->is(Kind::kEllipsis);
}

class Expander {
 public:
  Expander(Arena& arena, Budget& budget) : arena_(arena), budget_(budget) {}

  // What `node` stands for, or nullptr where it is nothing with an ellipsis in its
  // midst that can be read.
  const Node* operator()(const Node& node) {
    switch (node.kind) {
      case Kind::kAdd:
      case Kind::kSubtract:
        return split(sum_terms(node)) ? sum() : nullptr;
      case Kind::kMultiply:
        return split(factors(node)) && !trailing_.empty() ? finite("prod") : nullptr;
      case Kind::kList:
      case Kind::kSet:
      case Kind::kTuple:
        return split(node.children) ? listed(node) : nullptr;
      default:
        return nullptr;
    }
  }

 private:
  using Terms = std::vector<const Node*>;

  // In the order written, subtracted terms negated.
  Terms sum_terms(const Node& node) {
    Terms terms;
    const Node* left = &node;
    for (; left->is(Kind::kAdd) || left->is(Kind::kSubtract); left = left->children[0]) {
      const Node* right = left->children[1];
      // "1 - 1/2 + 1/4 - …"
      const bool negated = left->is(Kind::kSubtract) && !is_ellipsis(right);
      terms.push_back(negated ? &arena_.make(Kind::kNegate, {right}) : right);
    }
    terms.push_back(left);
    std::reverse(terms.begin(), terms.end());
    return terms;
  }

  static Terms factors(const Node& node) {
    Terms factors;
    const Node* left = &node;
    for (; left->is(Kind::kMultiply); left = left->children[0]) {
      factors.push_back(left->children[1]);
    }
    factors.push_back(left);
    std::reverse(factors.begin(), factors.end());
    return factors;
  }

  // Into what stands before and after the ellipsis; false where there is none, or more
  // than one, or nothing before it.
  bool split(const Terms& terms) {
    const auto dots = std::find_if(terms.begin(), terms.end(), is_ellipsis);
    if (dots == terms.end() || dots == terms.begin()) return false;
    if (std::any_of(dots + 1, terms.end(), is_ellipsis)) return false;
    leading_.assign(terms.begin(), dots);
    trailing_.assign(dots + 1, terms.end());
    return budget_.spend(static_cast<long>(terms.size()) / 8);
  }

  std::optional<Progression> progression() {
    if (leading_.size() < 2) return std::nullopt;
    const auto arithmetic = arithmetic_progression(leading_, trailing_, arena_, budget_);
    if (arithmetic && leading_.size() > 2) return arithmetic;
    if (arithmetic && counts()) return arithmetic;
    const auto geometric = geometric_progression(leading_, trailing_, arena_, budget_);
    if (arithmetic && geometric) return std::nullopt;  // 2 + 4 + … + 64
    return arithmetic ? arithmetic : geometric;
  }

  // 1, 2, …, 8 are eight numbers, and not four.
  bool counts() {
    const auto first = evaluate_exactly(*leading_[0], {}, budget_);
    const auto second = evaluate_exactly(*leading_[1], {}, budget_);
    return first && second && *second - *first == 1;
  }

  const Node* sum() { return trailing_.empty() ? infinite_sum() : finite("sum"); }

  const Node* finite(const char* operation) {
    const auto found = progression();
    if (!found) return nullptr;
    const bool straight = found->term->is(Kind::kAdd) && found->term->children[0] == leading_[0];
    if (straight && operation == std::string_view("sum")) {
      // Half the number of terms, times the first and the last of them.
      const Node& ends = arena_.make(Kind::kAdd, {leading_[0], trailing_.back()});
      const Node& count = arena_.make(Kind::kAdd, {found->steps, &arena_.number(1)});
      return &arena_.make(Kind::kDivide,
                          {&arena_.make(Kind::kMultiply, {&count, &ends}), &arena_.number(2)});
    }
    return &arena_.make(Kind::kBigOperator,
                        {found->term, found->index, &arena_.number(0), found->steps}, operation);
  }

  // a + ar + ar² + … is a/(1 - r). Three terms at least must show the ratio.
  const Node* infinite_sum() {
    if (leading_.size() < 3) return nullptr;
    const auto product = [&](std::size_t i, std::size_t j) -> const Node& {
      return arena_.make(Kind::kMultiply, {leading_[i], leading_[j]});
    };
    for (std::size_t i = 2; i < leading_.size(); ++i) {
      const Comparison equal = compare_values(product(i - 2, i), product(i - 1, i - 1), budget_);
      if (equal != Comparison::kEqual) return nullptr;
    }
    const Node& ratio = arena_.make(Kind::kDivide, {leading_[1], leading_[0]});
    if (variables_of(ratio).empty()) {
      const auto value = evaluate_exactly(ratio, {}, budget_);
      if (!value || abs(*value) >= 1) return nullptr;
    }
    return &arena_.make(Kind::kDivide,
                        {leading_[0], &arena_.make(Kind::kSubtract, {&arena_.number(1), &ratio})});
  }

  const Node* listed(const Node& node) {
    if (trailing_.empty()) return nullptr;
    if (leading_.size() == 1) {  // 1, …, 10
      const Node& next = arena_.make(Kind::kAdd, {leading_[0], &arena_.number(1)});
      const auto second = evaluate_exactly(next, {}, budget_);
      if (!second) return nullptr;
      leading_.push_back(&arena_.number(*second));
    }
    const auto found = progression();
    if (!found) return nullptr;
    const auto steps = small_integer(*found->steps, budget_);
    if (!steps || *steps >= kMaxMembers) return nullptr;
    Node& list = arena_.make(node.kind);
    list = node;
    list.children.clear();
    for (long i = 0; i <= *steps; ++i) {
      list.children.push_back(
          &substitute(*found->term, found->index->text, arena_.number(i), arena_));
    }
    return &list;
  }

  Arena& arena_;
  Budget& budget_;
  Terms leading_;
  Terms trailing_;
};

}  // namespace

bool has_ellipsis(const Node& node) {
  return any_node(node, [](const Node& part) { return is_ellipsis(&part); });
}

const Node& without_ellipses(const Node& root, Arena& arena, Budget& budget) {
  if (!has_ellipsis(root)) return root;
  Expander expand(arena, budget);
  return replaced(root, arena, [&](const Node& part) { return expand(part); });
}

}  // namespace fbt::scorers::math
