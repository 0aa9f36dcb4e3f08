#include <algorithm>

#include "base/random.h"
#include "scorers/math/numeric_evaluator.h"

namespace fbt::scorers::math {

namespace {

constexpr long kMaxTerms = 400;  // of a sum or product

}  // namespace

MaybeApproximate NumericEvaluator::apply(const Node& node) {
  const KeyedRandom random(stable_hash(node.text));
  const auto coefficient = [&](std::size_t i) {
    mpq_class value(static_cast<long>(random.bits(i) % 1000) + 200, 400);
    value.canonicalize();
    return rational(value);
  };
  Approximate sum = rational(0);
  ++function_depth_;
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    const MaybeApproximate value = (*this)(node.child(i));
    if (!value) return value;
    sum = sum + coefficient(i + 1) * *value;
  }
  --function_depth_;
  const MaybeApproximate wave = cos(coefficient(0) + sum);
  if (!wave) return wave;
  return *wave + sum;
}

MaybeApproximate NumericEvaluator::big_operator(const Node& node) {
  if (node.text == "lim") return limit(node);
  if (node.text == "int") return integral(node);
  const MaybeApproximate from = (*this)(node.child(2));
  if (!from) return from;
  const Node& end = node.child(3);
  if (end.is(Kind::kConstant) && end.text == "infty") return series(node, *from);
  const MaybeApproximate to = (*this)(end);
  if (!to) return to;
  const auto first = near_integer(*from);
  const auto last = near_integer(*to);
  if (!first || !last || *last - *first > kMaxTerms) return unknown();
  const bool sum = node.text == "sum";
  MaybeApproximate total = rational(sum ? 0 : 1);
  for (long k = *first; total && k <= *last; ++k) {
    const MaybeApproximate term = at(node, rational(k));
    if (!term) return term;
    total = sum ? *total + *term : *total * *term;
  }
  return total;
}

MaybeApproximate NumericEvaluator::series(const Node& node, const Approximate& from) {
  const auto first = near_integer(from);
  if (!first || node.text != "sum") return unknown();
  Approximate total = rational(0);
  long before = 0;
  for (long k = *first; k <= *first + kMaxTerms; ++k) {
    const MaybeApproximate term = at(node, rational(k));
    if (!term) return term;
    total = total + *term;
    const long size = term->exponent();
    // What is left is below the last term once each is at most half its forerunner.
    if (k > *first + 8 && size < before && size < total.exponent() - 100) {
      total.error = std::max(total.error, static_cast<double>(size));
      return total;
    }
    before = size;
  }
  return unknown();
}

MaybeApproximate NumericEvaluator::at(const Node& node, const Approximate& value) {
  bindings_.emplace_back(node.child(1).text, value);
  MaybeApproximate result = (*this)(node.child(0));
  bindings_.pop_back();
  return result;
}

MaybeApproximate NumericEvaluator::limit(const Node& node) {
  const Node& target = node.child(2);
  const bool at_infinity = target.is(Kind::kConstant) && target.text == "infty";
  const MaybeApproximate centre = at_infinity ? rational(0) : (*this)(target);
  if (!centre) return centre;
  const auto near = [&](long bits) {
    mpq_class step;
    mpz_ui_pow_ui(step.get_num().get_mpz_t(), 2, static_cast<unsigned long>(bits));
    return at(node, at_infinity ? rational(step) : *centre + rational(1 / step));
  };
  const long bits = options_.precision / 3;
  const MaybeApproximate coarse = near(bits);
  const MaybeApproximate fine = near(bits + 8);
  if (!coarse || !fine) return unknown();
  Approximate value = *fine;
  const Approximate change = *fine - *coarse;
  if (change.exponent() > -bits / 2) return unknown();  // does not settle
  value.error = std::max({value.error, change.exponent() + 2.0, 8.0 - bits});
  return value;
}

MaybeApproximate NumericEvaluator::integral(const Node& node) {
  const MaybeApproximate from = (*this)(node.child(2));
  const MaybeApproximate to = (*this)(node.child(3));
  if (!from || !to) return unknown();
  const MaybeApproximate coarse = panels(node, *from, *to, 16);
  const MaybeApproximate fine = panels(node, *from, *to, 32);
  if (!coarse || !fine) return unknown();
  Approximate value = *fine;
  const Approximate change = *fine - *coarse;
  if (change.exponent() > value.exponent() - 24) return unknown();
  value.error = std::max(value.error, change.exponent() + 1.0);
  return value;
}

MaybeApproximate NumericEvaluator::panels(const Node& node, const Approximate& from,
                                          const Approximate& to, long count) {
  // Nodes 0 and ±(1/3) sqrt(5 ∓ 2 sqrt(10/7)), weights 128/225 and
  // (322 ± 13 sqrt(70))/900.
  const Approximate spread = *sqrt(rational(mpq_class(10, 7))) * rational(2);
  const Approximate third = rational(mpq_class(1, 3));
  const Approximate inner = third * *sqrt(rational(5) - spread);
  const Approximate outer = third * *sqrt(rational(5) + spread);
  const Approximate root = *sqrt(rational(70)) * rational(13);
  const Approximate over = rational(mpq_class(1, 900));
  const Approximate inner_weight = (rational(322) + root) * over;
  const Approximate outer_weight = (rational(322) - root) * over;
  const Approximate half = (to - from) * rational(mpq_class(1, 2 * count));
  Approximate total = rational(0);
  for (long panel = 0; panel < count; ++panel) {
    const Approximate centre = from + half * rational(2 * panel + 1);
    const std::pair<Approximate, Approximate> nodes[] = {
        {rational(0), rational(mpq_class(128, 225))},
        {inner, inner_weight},
        {-inner, inner_weight},
        {outer, outer_weight},
        {-outer, outer_weight}};
    for (const auto& [position, weight] : nodes) {
      const MaybeApproximate value = at(node, centre + half * position);
      if (!value) return value;
      total = total + *value * weight;
    }
  }
  return total * half;
}

}  // namespace fbt::scorers::math
