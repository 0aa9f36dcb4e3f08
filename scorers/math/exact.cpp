#include "scorers/math/exact.h"

#include <algorithm>
#include <cstdlib>

namespace fbt::scorers::math {

namespace {

constexpr long kMaxTerms = 2000;             // of a sum or product
constexpr long kMaxDoubleFactorial = 10000;  // about kMaxExactBits

long bits(const mpz_class& value) {
  return static_cast<long>(mpz_sizeinbase(value.get_mpz_t(), 2));
}
long bits(const mpq_class& value) {
  return bits(value.get_num()) + bits(value.get_den());
}

class Evaluator {
 public:
  Evaluator(const ExactBindings& bindings, Budget& budget) : bindings_(bindings), budget_(budget) {}

  using Result = std::optional<mpq_class>;

  Result operator()(const Node& node) {
    if (!budget_.spend()) return std::nullopt;
    switch (node.kind) {
      case Kind::kNumber:
        return *node.number;
      case Kind::kVariable:
        return variable(node.text);
      case Kind::kAdd:
      case Kind::kSubtract:
      case Kind::kMultiply:
      case Kind::kDivide:
        return arithmetic(node);
      case Kind::kNegate: {
        Result value = (*this)(node.child(0));
        if (value) *value = -*value;
        return value;
      }
      case Kind::kPower:
        return power(node);
      case Kind::kFunction:
        return function(node);
      case Kind::kPercent: {
        Result value = (*this)(node.child(0));
        if (value) *value /= 100;
        return value;
      }
      case Kind::kDegree:
      case Kind::kQuantity:
        return (*this)(node.child(0));
      case Kind::kBased:
        return based(node);
      case Kind::kModulo:
        return modulo(node);
      case Kind::kBigOperator:
        return big_operator(node);
      default:
        return std::nullopt;
    }
  }

 private:
  Result variable(const std::string& name) const {
    // The last binding of a name wins: running variables shadow.
    for (auto binding = bindings_.rbegin(); binding != bindings_.rend(); ++binding) {
      if (binding->first == name) return binding->second;
    }
    return std::nullopt;
  }

  Result arithmetic(const Node& node) {
    Result left = (*this)(node.child(0));
    if (!left) return left;
    const Result right = (*this)(node.child(1));
    if (!right) return right;
    const long size = bits(*left) + bits(*right);
    if (size > kMaxExactBits || !budget_.spend(size / 2000)) return std::nullopt;
    switch (node.kind) {
      case Kind::kAdd:
        *left += *right;
        break;
      case Kind::kSubtract:
        *left -= *right;
        break;
      case Kind::kMultiply:
        *left *= *right;
        break;
      default:
        if (*right == 0) return std::nullopt;
        *left /= *right;
        break;
    }
    return left;
  }

  static Result integer_power(const mpq_class& base, long exponent) {
    const unsigned long size = static_cast<unsigned long>(std::labs(exponent));
    mpq_class value;
    mpz_pow_ui(value.get_num().get_mpz_t(), base.get_num().get_mpz_t(), size);
    mpz_pow_ui(value.get_den().get_mpz_t(), base.get_den().get_mpz_t(), size);
    if (exponent < 0) value = 1 / value;
    return value;
  }

  // The real n-th root, where it is rational.
  static Result exact_root(const mpq_class& value, unsigned long n) {
    if (value < 0 && n % 2 == 0) return std::nullopt;
    mpq_class root;
    const bool exact = mpz_root(root.get_num().get_mpz_t(), value.get_num().get_mpz_t(), n) != 0 &&
                       mpz_root(root.get_den().get_mpz_t(), value.get_den().get_mpz_t(), n) != 0;
    if (!exact) return std::nullopt;
    return root;
  }

  Result power(const Node& node) {
    const Result base = (*this)(node.child(0));
    if (!base) return base;
    const Result exponent = (*this)(node.child(1));
    if (!exponent) return exponent;
    return power_of(*base, *exponent);
  }

  Result power_of(const mpq_class& base, const mpq_class& exponent) {
    if (base == 0) {
      if (exponent > 0) return mpq_class(0);
      return std::nullopt;
    }
    if (base == 1) return base;
    if (!exponent.get_den().fits_ulong_p()) return std::nullopt;
    const unsigned long root = exponent.get_den().get_ui();
    if (root != 1) {
      if (root > 100) return std::nullopt;
      const Result inner = exact_root(base, root);
      if (!inner) return inner;
      return power_of(*inner, mpq_class(exponent.get_num()));
    }
    if (base == -1) return mpq_class(mpz_even_p(exponent.get_num().get_mpz_t()) ? 1 : -1);
    if (!exponent.get_num().fits_slong_p()) return std::nullopt;
    const long n = exponent.get_num().get_si();
    if (std::labs(n) > kMaxExactBits || bits(base) * std::labs(n) > 2 * kMaxExactBits) {
      return std::nullopt;
    }
    budget_.spend(bits(base) * std::labs(n) / 2000);
    return integer_power(base, n);
  }

  static std::optional<long> as_long(const mpq_class& value) {
    if (value.get_den() != 1 || !value.get_num().fits_slong_p()) return std::nullopt;
    return value.get_num().get_si();
  }

  Result factorial(const mpq_class& value) {
    const auto n = as_long(value);
    if (!n || *n < 0 || *n > 6000) return std::nullopt;
    budget_.spend(*n / 50);
    mpz_class result;
    mpz_fac_ui(result.get_mpz_t(), static_cast<unsigned long>(*n));
    return mpq_class(result);
  }

  Result binomial(const mpq_class& n, const mpq_class& k) {
    const auto below = as_long(k);
    if (!below || n.get_den() != 1) return std::nullopt;
    if (*below < 0 || (n >= 0 && mpq_class(*below) > n)) return mpq_class(0);
    long factors = *below;
    if (n >= 0) {
      const mpq_class other = n - *below;
      if (other < factors) factors = other.get_num().get_si();
    }
    if (factors > 6000 || bits(n) * factors > kMaxExactBits) return std::nullopt;
    budget_.spend(factors / 20);
    mpz_class result;
    mpz_bin_ui(result.get_mpz_t(), n.get_num().get_mpz_t(), static_cast<unsigned long>(factors));
    return mpq_class(result);
  }

  Result function(const Node& node) {
    if (node.text == "det") return std::nullopt;
    std::vector<mpq_class> values;
    for (const Node* child : node.children) {
      Result value = (*this)(*child);
      if (!value) return value;
      values.push_back(std::move(*value));
    }
    const std::string& name = node.text;
    if (name == "sqrt") return exact_root(values[0], 2);
    if (name == "root") {
      const auto index = as_long(values[0]);
      if (!index || *index < 1 || *index > 100) return std::nullopt;
      return exact_root(values[1], static_cast<unsigned long>(*index));
    }
    if (name == "factorial") return factorial(values[0]);
    if (name == "binom") return binomial(values[0], values[1]);
    if (name == "abs") return abs(values[0]);
    if (name == "floor" || name == "ceil") {
      mpz_class rounded;
      const auto round = name == "floor" ? mpz_fdiv_q : mpz_cdiv_q;
      round(rounded.get_mpz_t(), values[0].get_num().get_mpz_t(), values[0].get_den().get_mpz_t());
      return mpq_class(rounded);
    }
    if (name == "double_factorial") {
      const auto n = as_long(values[0]);
      if (!n || *n < 0 || *n > kMaxDoubleFactorial) return std::nullopt;
      mpz_class product;
      mpz_2fac_ui(product.get_mpz_t(), static_cast<unsigned long>(*n));
      return mpq_class(product);
    }
    if (name == "max") return *std::max_element(values.begin(), values.end());
    if (name == "min") return *std::min_element(values.begin(), values.end());
    if (name == "gcd" || name == "lcm") {
      mpz_class result = values[0].get_num();
      for (const mpq_class& value : values) {
        if (value.get_den() != 1) return std::nullopt;
        result = name == "gcd" ? mpz_class(gcd(result, value.get_num()))
                               : mpz_class(lcm(result, value.get_num()));
      }
      return mpq_class(result);
    }
    return std::nullopt;
  }

  static Result based(const Node& node) {
    const long base = node.number->get_num().get_si();
    mpq_class value = 0;
    mpq_class place = 1;
    bool after_point = false;
    for (char c : node.text) {
      if (c == '.') {
        after_point = true;
        continue;
      }
      const long digit = c >= 'A' ? c - 'A' + 10 : c - '0';
      if (digit >= base) return std::nullopt;
      if (after_point) {
        place /= base;
        value += digit * place;
      } else {
        value = value * base + digit;
      }
    }
    return value;
  }

  Result modulo(const Node& node) {
    const Result value = (*this)(node.child(0));
    const Result modulus = (*this)(node.child(1));
    if (!value || !modulus || value->get_den() != 1 || modulus->get_den() != 1 || *modulus < 1) {
      return std::nullopt;
    }
    mpz_class rest;
    mpz_fdiv_r(rest.get_mpz_t(), value->get_num().get_mpz_t(), modulus->get_num().get_mpz_t());
    return mpq_class(rest);
  }

  Result big_operator(const Node& node) {
    if (node.text != "sum" && node.text != "prod") return std::nullopt;
    const Result from = (*this)(node.child(2));
    const Result to = (*this)(node.child(3));
    if (!from || !to) return std::nullopt;
    const auto first = as_long(*from);
    const auto last = as_long(*to);
    if (!first || !last || *last - *first > kMaxTerms) return std::nullopt;
    mpq_class total = node.text == "sum" ? 0 : 1;
    ExactBindings inner = bindings_;
    inner.emplace_back(node.child(1).text, 0);
    for (long k = *first; k <= *last; ++k) {
      inner.back().second = k;
      const Result term = Evaluator(inner, budget_)(node.child(0));
      if (!term || bits(total) + bits(*term) > kMaxExactBits) return std::nullopt;
      if (node.text == "sum") {
        total += *term;
      } else {
        total *= *term;
      }
    }
    return total;
  }

  const ExactBindings& bindings_;
  Budget& budget_;
};

}  // namespace

std::optional<mpq_class> evaluate_exactly(const Node& node, const ExactBindings& bindings,
                                          Budget& budget) {
  return Evaluator(bindings, budget)(node);
}

std::optional<long> small_integer(const Node& node, Budget& budget) {
  const auto value = evaluate_exactly(node, {}, budget);
  if (!value || value->get_den() != 1 || !value->get_num().fits_slong_p()) return std::nullopt;
  return value->get_num().get_si();
}

}  // namespace fbt::scorers::math
