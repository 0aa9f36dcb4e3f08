#include "scorers/math/numeric.h"

#include <algorithm>
#include <cstdlib>

#include "base/random.h"
#include "scorers/math/exact.h"
#include "scorers/math/function.h"

namespace fbt::scorers::math {

namespace {

constexpr long kMaxTerms = 400;  // of a sum or product

class Evaluator {
 public:
  Evaluator(Bindings bindings, const NumericOptions& options, Budget& budget)
      : bindings_(std::move(bindings)), options_(options), budget_(budget) {}

  MaybeApproximate operator()(const Node& node) {
    // A step is about a microsecond at the usual precision.
    if (!budget_.spend(1 + options_.precision / 512)) {
      unknown_ = true;
      return std::nullopt;
    }
    MaybeApproximate value = evaluate(node);
    if (value && !value->finite()) {
      too_large_ = true;
      return std::nullopt;
    }
    return value;
  }

  NumericResult result(const Node& node) {
    NumericResult result;
    result.value = (*this)(node);
    result.unknown = unknown_;
    result.too_large = too_large_;
    return result;
  }

 private:
  Approximate rational(const mpq_class& value) const {
    return approximate(value, options_.precision);
  }

  MaybeApproximate unknown() {
    unknown_ = true;
    return std::nullopt;
  }

  MaybeApproximate evaluate(const Node& node) {
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

  MaybeApproximate constant(const std::string& name) {
    if (name == "pi") return approximate_pi(options_.precision);
    if (name == "e") return exp(rational(1));
    if (name == "i") return imaginary_unit(options_.precision);
    return unknown();  // ∞ is no number
  }

  MaybeApproximate exactly(const Node& node) {
    const auto value = evaluate_exactly(node, {}, budget_);
    if (!value) return unknown();
    return rational(*value);
  }

  MaybeApproximate arithmetic(const Node& node) {
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

  MaybeApproximate degree(const Node& node) {
    const MaybeApproximate value = (*this)(node.child(0));
    if (!value || (function_depth_ == 0 && !options_.degrees_outside)) return value;
    return *value * approximate_pi(options_.precision) * rational(mpq_class(1, 180));
  }

  // The exponent as a rational constant, where it is one.
  std::optional<mpq_class> rational_exponent(const Node& node) {
    return evaluate_exactly(node, {}, budget_);
  }

  // The value as an integer where it is one to within its error (a variable bound to
  // an integer, say).
  static std::optional<long> near_integer(const Approximate& value) {
    if (!value.is_real() || value.exponent() > 20) return std::nullopt;
    const long rounded = mpfr_get_si(value.re.get(), MPFR_RNDN);
    const Approximate rest = value - approximate(rounded, value.precision());
    if (!rest.re.zero()) return std::nullopt;
    return rounded;
  }

  MaybeApproximate power_of(const Node& node) {
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

  MaybeApproximate check_size(MaybeApproximate value) {
    if (!value) too_large_ = true;
    return value;
  }

  // a^(p/q): the real root for negative a and odd q.
  MaybeApproximate rational_root(const Approximate& base, const mpq_class& exponent) {
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

  // ---- functions ----

  MaybeApproximate function(const Node& node) {
    const std::string& name = node.text;
    if (name == "factorial" || name == "binom" || name == "floor" || name == "ceil" ||
        is_list_function(name)) {
      return integer_function(node);
    }
    if (name == "det") return determinant(node);
    if (name == "norm") return unknown();
    ++function_depth_;
    const MaybeApproximate value = of_arguments(node);
    --function_depth_;
    return value;
  }

  MaybeApproximate of_arguments(const Node& node) {
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
    return trigonometric(name, *first);
  }

  MaybeApproximate common_logarithm(const Approximate& value) {
    const MaybeApproximate natural = log(value);
    if (!natural || !options_.common_logarithm) return natural;
    return divide(*natural, *log(rational(10)));
  }

  MaybeApproximate quotient(const MaybeApproximate& a, const MaybeApproximate& b) {
    if (!a || !b) return std::nullopt;
    return divide(*a, *b);
  }
  MaybeApproximate reciprocal(const MaybeApproximate& a) {
    if (!a) return a;
    return divide(rational(1), *a);
  }

  MaybeApproximate trigonometric(const std::string& name, const Approximate& x) {
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

  // π/2 - a
  MaybeApproximate complement(const MaybeApproximate& a) {
    if (!a) return a;
    return approximate_pi(options_.precision) * rational(mpq_class(1, 2)) - *a;
  }

  MaybeApproximate hyperbolic(const std::string& name, const Approximate& x) {
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

  // ---- functions of integers ----

  MaybeApproximate integer_function(const Node& node) {
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

  std::optional<mpq_class> exact_function(const std::string& name,
                                          const std::vector<mpq_class>& arguments) {
    Arena arena;
    std::vector<const Node*> children;
    for (const mpq_class& argument : arguments) children.push_back(&arena.number(argument));
    return evaluate_exactly(arena.make(Kind::kFunction, std::move(children), name), {}, budget_);
  }

  static MaybeApproximate log_binomial(const Approximate& n, const Approximate& k) {
    const MaybeApproximate above = log_factorial(n);
    const MaybeApproximate below = log_factorial(k);
    const MaybeApproximate rest = log_factorial(n - k);
    if (!above || !below || !rest) return std::nullopt;
    return *above - *below - *rest;
  }

  MaybeApproximate rounded(const Approximate& value, bool down) {
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
    return Approximate{std::move(result), Real(value.precision()), -value.precision()};
  }

  MaybeApproximate extreme(const std::vector<Approximate>& values, bool largest) {
    const Approximate* best = &values[0];
    for (const Approximate& value : values) {
      if (!value.is_real()) return std::nullopt;
      if (largest ? best->re < value.re : value.re < best->re) best = &value;
    }
    return *best;
  }

  MaybeApproximate determinant(const Node& node) {
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

  // Expansion along the first row.
  Approximate laplace(const std::vector<Approximate>& cells, std::size_t size) {
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

  // ---- unknown functions and big operators ----

  // f(x, …) = cos(c0 + Σ c_i x_i) + Σ c_i x_i, the c's drawn from the name.
  MaybeApproximate apply(const Node& node) {
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

  MaybeApproximate big_operator(const Node& node) {
    if (node.text == "lim") return limit(node);
    if (node.text == "int") return integral(node);
    const MaybeApproximate from = (*this)(node.child(2));
    const MaybeApproximate to = (*this)(node.child(3));
    if (!from || !to) return std::nullopt;
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

  // The body with the running variable bound to `value`.
  MaybeApproximate at(const Node& node, const Approximate& value) {
    bindings_.emplace_back(node.child(1).text, value);
    MaybeApproximate result = (*this)(node.child(0));
    bindings_.pop_back();
    return result;
  }

  // Values ever closer to the target, from above; the error is what the last step
  // changed.
  MaybeApproximate limit(const Node& node) {
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
    value.error = std::max({value.error, change.exponent() + 2, -bits + 8});
    return value;
  }

  // Gauss-Legendre with five nodes on equal panels, doubled; the error is what the
  // doubling changed.
  MaybeApproximate integral(const Node& node) {
    const MaybeApproximate from = (*this)(node.child(2));
    const MaybeApproximate to = (*this)(node.child(3));
    if (!from || !to) return unknown();
    const MaybeApproximate coarse = panels(node, *from, *to, 16);
    const MaybeApproximate fine = panels(node, *from, *to, 32);
    if (!coarse || !fine) return unknown();
    Approximate value = *fine;
    const Approximate change = *fine - *coarse;
    if (change.exponent() > value.exponent() - 24) return unknown();
    value.error = std::max(value.error, change.exponent() + 1);
    return value;
  }

  MaybeApproximate panels(const Node& node, const Approximate& from, const Approximate& to,
                          long count) {
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

  Bindings bindings_;
  const NumericOptions options_;
  Budget& budget_;
  int function_depth_ = 0;
  bool unknown_ = false;
  bool too_large_ = false;
};

}  // namespace

NumericResult evaluate_numerically(const Node& node, const Bindings& bindings,
                                   const NumericOptions& options, Budget& budget) {
  return Evaluator(bindings, options, budget).result(node);
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
