#include "scorers/math/exact.h"
#include "scorers/math/function.h"
#include "scorers/math/numeric_evaluator.h"

namespace fbt::scorers::math {

MaybeApproximate NumericEvaluator::function(const Node& node) {
  const std::string& name = node.text;
  if (name == "factorial" || name == "double_factorial" || name == "binom" || name == "floor" ||
      name == "ceil" || is_list_function(name)) {
    return integer_function(node);
  }
  if (name == "det") return determinant(node);
  if (name == "norm") return unknown();
  ++function_depth_;
  const MaybeApproximate value = of_arguments(node);
  --function_depth_;
  return value;
}

MaybeApproximate NumericEvaluator::of_arguments(const Node& node) {
  const std::string& name = node.text;
  const MaybeApproximate first = (*this)(node.child(0));
  if (!first) return first;
  if (name == "sqrt") return sqrt(*first);
  if (name == "root") {
    const auto index = near_integer(*first);
    if (!index || *index == 0) return unknown();
    const MaybeApproximate radicand = (*this)(node.child(1));
    if (!radicand) return radicand;
    return rational_root(*radicand, mpq_class(1) / *index);
  }
  if (name == "abs") return magnitude(*first);
  if (name == "ln") return log(*first);
  if (name == "lg") return common_logarithm(*first);
  if (name == "log") {
    const MaybeApproximate argument = (*this)(node.child(1));
    if (!argument) return argument;
    const MaybeApproximate above = log(*argument);
    const MaybeApproximate below = log(*first);
    if (!above || !below) return std::nullopt;
    return divide(*above, *below);
  }
  if (name == "exp") return check_size(exp(*first));
  if (name == "conj") return Approximate{first->re, -first->im, first->error};
  if (name == "Re") return real_part(*first);
  if (name == "Im") return imaginary_part(*first);
  if (name == "arg") {
    const MaybeApproximate logarithm = log(*first);
    if (!logarithm) return logarithm;
    return imaginary_part(*logarithm);
  }
  return trigonometric(name, *first);
}

MaybeApproximate NumericEvaluator::common_logarithm(const Approximate& value) {
  const MaybeApproximate natural = log(value);
  if (!natural || !options_.common_logarithm) return natural;
  return divide(*natural, *log(rational(10)));
}

MaybeApproximate NumericEvaluator::quotient(const MaybeApproximate& a, const MaybeApproximate& b) {
  if (!a || !b) return std::nullopt;
  return divide(*a, *b);
}

MaybeApproximate NumericEvaluator::reciprocal(const MaybeApproximate& a) {
  if (!a) return a;
  return divide(rational(1), *a);
}

MaybeApproximate NumericEvaluator::trigonometric(const std::string& name, const Approximate& x) {
  if (name == "sin") return sin(x);
  if (name == "cos") return cos(x);
  if (name == "tan") return quotient(sin(x), cos(x));
  if (name == "cot") return quotient(cos(x), sin(x));
  if (name == "sec") return reciprocal(cos(x));
  if (name == "csc") return reciprocal(sin(x));
  if (name == "arcsin") return arcsin(x);
  if (name == "arccos") return complement(arcsin(x));
  if (name == "arctan") return arctan(x);
  if (name == "arccot") return complement(arctan(x));
  if (name == "arcsec" || name == "arccsc") {
    const MaybeApproximate inverse = reciprocal(x);
    if (!inverse) return inverse;
    return name == "arccsc" ? arcsin(*inverse) : complement(arcsin(*inverse));
  }
  return hyperbolic(name, x);
}

MaybeApproximate NumericEvaluator::complement(const MaybeApproximate& a) {
  if (!a) return a;
  return approximate_pi(options_.precision) * rational(mpq_class(1, 2)) - *a;
}

MaybeApproximate NumericEvaluator::hyperbolic(const std::string& name, const Approximate& x) {
  const Approximate one = rational(1);
  if (name == "arsinh") {
    const MaybeApproximate root = sqrt(x * x + one);
    if (!root) return root;
    return log(x + *root);
  }
  if (name == "arcosh") {
    const MaybeApproximate root = sqrt(x * x - one);
    if (!root) return root;
    return log(x + *root);
  }
  if (name == "artanh") {
    const MaybeApproximate ratio = divide(one + x, one - x);
    if (!ratio) return ratio;
    const MaybeApproximate logarithm = log(*ratio);
    if (!logarithm) return logarithm;
    return *logarithm * rational(mpq_class(1, 2));
  }
  if (name != "sinh" && name != "cosh" && name != "tanh" && name != "coth") return unknown();
  const MaybeApproximate up = exp(x);
  const MaybeApproximate down = exp(-x);
  if (!up || !down) return check_size(std::nullopt);
  const Approximate half = rational(mpq_class(1, 2));
  if (name == "sinh") return (*up - *down) * half;
  if (name == "cosh") return (*up + *down) * half;
  return name == "tanh" ? divide(*up - *down, *up + *down) : divide(*up + *down, *up - *down);
}

MaybeApproximate NumericEvaluator::integer_function(const Node& node) {
  std::vector<mpq_class> arguments;
  std::vector<Approximate> values;
  for (const Node* child : node.children) {
    if (const auto constant = evaluate_exactly(*child, {}, budget_)) {
      arguments.push_back(*constant);
      values.push_back(rational(*constant));
      continue;
    }
    const MaybeApproximate value = (*this)(*child);
    if (!value) return value;
    if (const auto integer = near_integer(*value)) arguments.emplace_back(*integer);
    values.push_back(*value);
  }
  const std::string& name = node.text;
  if (arguments.size() == values.size()) {
    if (const auto value = exact_function(name, arguments)) return rational(*value);
  }
  if (name == "factorial") {
    const MaybeApproximate logarithm = log_factorial(values[0]);
    if (!logarithm) return logarithm;
    return check_size(exp(*logarithm));
  }
  if (name == "binom") {
    const MaybeApproximate logarithm = log_binomial(values[0], values[1]);
    if (!logarithm) return logarithm;
    return check_size(exp(*logarithm));
  }
  if (name == "floor" || name == "ceil") return rounded(values[0], name == "floor");
  if (name == "max" || name == "min") return extreme(values, name == "max");
  return unknown();
}

std::optional<mpq_class> NumericEvaluator::exact_function(const std::string& name,
                                                          const std::vector<mpq_class>& arguments) {
  Arena arena;
  std::vector<const Node*> children;
  for (const mpq_class& argument : arguments) children.push_back(&arena.number(argument));
  return evaluate_exactly(arena.make(Kind::kFunction, std::move(children), name), {}, budget_);
}

MaybeApproximate NumericEvaluator::log_binomial(const Approximate& n, const Approximate& k) {
  const MaybeApproximate above = log_factorial(n);
  const MaybeApproximate below = log_factorial(k);
  const MaybeApproximate rest = log_factorial(n - k);
  if (!above || !below || !rest) return std::nullopt;
  return *above - *below - *rest;
}

MaybeApproximate NumericEvaluator::rounded(const Approximate& value, bool down) {
  if (!value.is_real() || value.error > -8) return std::nullopt;
  Real result(value.precision());
  if (down) {
    mpfr_floor(result.get(), value.re.get());
  } else {
    mpfr_ceil(result.get(), value.re.get());
  }
  // An integer to within the error may have been meant exactly.
  const Approximate rest = value - rational(mpfr_get_si(value.re.get(), MPFR_RNDN));
  if (value.exponent() < 60 && rest.is_zero()) {
    return rational(mpfr_get_si(value.re.get(), MPFR_RNDN));
  }
  return Approximate{std::move(result), Real(value.precision()),
                     -static_cast<double>(value.precision())};
}

MaybeApproximate NumericEvaluator::extreme(const std::vector<Approximate>& values, bool largest) {
  const Approximate* best = &values[0];
  for (const Approximate& value : values) {
    if (!value.is_real()) return std::nullopt;
    if (largest ? best->re < value.re : value.re < best->re) best = &value;
  }
  return *best;
}

MaybeApproximate NumericEvaluator::determinant(const Node& node) {
  if (!node.child(0).is(Kind::kMatrix)) return unknown();
  const Node& matrix = node.child(0);
  const auto size = static_cast<std::size_t>(matrix.rows);
  if (size * size != matrix.children.size() || size > 6) return unknown();
  std::vector<Approximate> cells;
  for (const Node* child : matrix.children) {
    const MaybeApproximate cell = (*this)(*child);
    if (!cell) return cell;
    cells.push_back(*cell);
  }
  return laplace(cells, size);
}

Approximate NumericEvaluator::laplace(const std::vector<Approximate>& cells, std::size_t size) {
  if (size == 1) return cells[0];
  Approximate total = rational(0);
  for (std::size_t column = 0; column < size; ++column) {
    std::vector<Approximate> minor;
    for (std::size_t i = size; i < cells.size(); ++i) {
      if (i % size != column) minor.push_back(cells[i]);
    }
    const Approximate term = cells[column] * laplace(minor, size - 1);
    total = column % 2 == 0 ? total + term : total - term;
  }
  return total;
}

}  // namespace fbt::scorers::math
