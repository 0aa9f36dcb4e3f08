#include "scorers/math/numeric.h"

#include "scorers/math/exact.h"
#include "scorers/math/numeric_evaluator.h"

namespace fbt::scorers::math {

NumericResult NumericEvaluator::result(const Node& node) {
  NumericResult result;
  result.value = (*this)(node);
  result.unknown = unknown_;
  result.too_large = too_large_;
  return result;
}

Approximate NumericEvaluator::rational(const mpq_class& value) const {
  return approximate(value, options_.precision);
}

MaybeApproximate NumericEvaluator::unknown() {
  unknown_ = true;
  return std::nullopt;
}

MaybeApproximate NumericEvaluator::evaluate(const Node& node) {
  switch (node.kind) {
    case Kind::kNumber:
      return rational(*node.number);
    case Kind::kConstant:
      return constant(node.text);
    case Kind::kVariable:
      for (auto binding = bindings_.rbegin(); binding != bindings_.rend(); ++binding) {
        if (binding->first == node.text) return binding->second;
      }
      return unknown();
    case Kind::kAdd:
    case Kind::kSubtract:
    case Kind::kMultiply:
    case Kind::kDivide:
      return arithmetic(node);
    case Kind::kNegate: {
      const MaybeApproximate value = (*this)(node.child(0));
      if (!value) return value;
      return -*value;
    }
    case Kind::kPower:
      return power_of(node);
    case Kind::kFunction:
      return function(node);
    case Kind::kApply:
      return apply(node);
    case Kind::kPercent: {
      const MaybeApproximate value = (*this)(node.child(0));
      if (!value) return value;
      return *value * rational(mpq_class(1, 100));
    }
    case Kind::kDegree:
      return degree(node);
    case Kind::kQuantity:
      return (*this)(node.child(0));
    case Kind::kBased:
    case Kind::kModulo:
      return exactly(node);
    case Kind::kBigOperator:
      return big_operator(node);
    default:
      return unknown();
  }
}

MaybeApproximate NumericEvaluator::constant(const std::string& name) {
  if (name == "pi") return approximate_pi(options_.precision);
  if (name == "e") return exp(rational(1));
  if (name == "i") return imaginary_unit(options_.precision);
  return unknown();  // ∞ is no number
}

MaybeApproximate NumericEvaluator::exactly(const Node& node) {
  const auto value = evaluate_exactly(node, {}, budget_);
  if (!value) return unknown();
  return rational(*value);
}

MaybeApproximate NumericEvaluator::arithmetic(const Node& node) {
  const MaybeApproximate left = (*this)(node.child(0));
  if (!left) return left;
  const MaybeApproximate right = (*this)(node.child(1));
  if (!right) return right;
  switch (node.kind) {
    case Kind::kAdd:
      return *left + *right;
    case Kind::kSubtract:
      return *left - *right;
    case Kind::kMultiply:
      return *left * *right;
    default:
      return divide(*left, *right);
  }
}

MaybeApproximate NumericEvaluator::degree(const Node& node) {
  const MaybeApproximate value = (*this)(node.child(0));
  if (!value || (function_depth_ == 0 && !options_.degrees_outside)) return value;
  return *value * approximate_pi(options_.precision) * rational(mpq_class(1, 180));
}

std::optional<mpq_class> NumericEvaluator::rational_exponent(const Node& node) {
  return evaluate_exactly(node, {}, budget_);
}

std::optional<long> NumericEvaluator::near_integer(const Approximate& value) {
  if (!value.is_real() || value.exponent() > 20) return std::nullopt;
  const long rounded = mpfr_get_si(value.re.get(), MPFR_RNDN);
  const Approximate rest = value - approximate(rounded, value.precision());
  if (!rest.re.zero()) return std::nullopt;
  return rounded;
}

MaybeApproximate NumericEvaluator::power_of(const Node& node) {
  const MaybeApproximate base = (*this)(node.child(0));
  if (!base) return base;
  const auto rational_power = rational_exponent(node.child(1));
  if (rational_power && rational_power->get_den() != 1) {
    return rational_root(*base, *rational_power);
  }
  const MaybeApproximate exponent = (*this)(node.child(1));
  if (!exponent) return exponent;
  if (const auto n = near_integer(*exponent)) {
    if (*n == 0) {
      if (base->is_zero()) return std::nullopt;
      return rational(1);
    }
    if (base->is_zero() && *n < 0) return std::nullopt;
    return check_size(integer_power(*base, *n));
  }
  if (base->is_zero()) {
    if (exponent->is_real() && !exponent->re.negative()) return rational(0);
    return std::nullopt;
  }
  const bool negative = base->is_real() && base->re.negative();
  if (negative && rational_power) {  // a huge integer exponent
    const MaybeApproximate size = power(-*base, *exponent);
    if (!size) return check_size(size);
    return mpz_even_p(rational_power->get_num().get_mpz_t()) ? *size : -*size;
  }
  return check_size(power(*base, *exponent));
}

MaybeApproximate NumericEvaluator::check_size(MaybeApproximate value) {
  if (!value) too_large_ = true;
  return value;
}

MaybeApproximate NumericEvaluator::rational_root(const Approximate& base,
                                                 const mpq_class& exponent) {
  if (base.is_zero()) {
    if (exponent > 0) return rational(0);
    return std::nullopt;
  }
  if (exponent.get_den() == 2 && exponent.get_num() == 1) return sqrt(base);
  const bool odd = mpz_odd_p(exponent.get_den().get_mpz_t()) != 0;
  if (base.is_real() && base.re.negative() && odd) {
    const MaybeApproximate size = power(-base, rational(exponent));
    if (!size) return size;
    return mpz_even_p(exponent.get_num().get_mpz_t()) ? *size : -*size;
  }
  return power(base, rational(exponent));
}

NumericResult evaluate_numerically(const Node& node, const Bindings& bindings,
                                   const NumericOptions& options, Budget& budget) {
  return NumericEvaluator(bindings, options, budget).result(node);
}

MaybeApproximate evaluate_logarithm(const Node& node, const NumericOptions& options,
                                    Budget& budget) {
  const auto value_of = [&](const Node& part) {
    return evaluate_numerically(part, {}, options, budget).value;
  };
  const auto logarithm_of = [&](const Node& part) {
    return evaluate_logarithm(part, options, budget);
  };
  switch (node.kind) {
    case Kind::kPower: {
      const MaybeApproximate base = logarithm_of(node.child(0));
      const MaybeApproximate exponent = value_of(node.child(1));
      if (!base || !exponent) return std::nullopt;
      return *base * *exponent;
    }
    case Kind::kMultiply:
    case Kind::kDivide: {
      const MaybeApproximate left = logarithm_of(node.child(0));
      const MaybeApproximate right = logarithm_of(node.child(1));
      if (!left || !right) return std::nullopt;
      return node.is(Kind::kMultiply) ? *left + *right : *left - *right;
    }
    case Kind::kFunction:
      if (node.text == "factorial") {
        const MaybeApproximate argument = value_of(node.child(0));
        if (!argument) return std::nullopt;
        return log_factorial(*argument);
      }
      break;
    default:
      break;
  }
  const MaybeApproximate value = value_of(node);
  if (!value || !value->is_real() || value->re.negative() || value->is_zero()) return std::nullopt;
  return log(*value);
}

WideExponents::WideExponents() : smallest_(mpfr_get_emin()), largest_(mpfr_get_emax()) {
  mpfr_set_emin(mpfr_get_emin_min());
  mpfr_set_emax(mpfr_get_emax_max());
}

WideExponents::~WideExponents() {
  mpfr_set_emin(smallest_);
  mpfr_set_emax(largest_);
}

}  // namespace fbt::scorers::math
