#include "scorers/math/modular.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "scorers/math/exact.h"

namespace fbt::scorers::math {

namespace {

using Residue = std::optional<std::uint64_t>;

// The four largest primes below 2^31: products fit 64 bits, and trial division
// finds their totients' factors at once.
constexpr std::array<std::uint64_t, 4> kPrimes = {2147483647, 2147483629, 2147483587, 2147483579};

// Where work is dear (large factorials), so many primes that agree are enough.
constexpr int kEnough = 2;

constexpr long kMaxFactorial = 1200000;

std::uint64_t power_modulo(std::uint64_t base, std::uint64_t exponent, std::uint64_t modulus) {
  std::uint64_t result = 1 % modulus;
  base %= modulus;
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) result = result * base % modulus;
    base = base * base % modulus;
  }
  return result;
}

std::uint64_t totient(std::uint64_t n) {
  std::uint64_t result = n;
  for (std::uint64_t factor = 2; factor * factor <= n; ++factor) {
    if (n % factor != 0) continue;
    while (n % factor == 0) n /= factor;
    result -= result / factor;
  }
  if (n > 1) result -= result / n;
  return result;
}

Residue inverse(std::uint64_t value, std::uint64_t modulus) {
  mpz_class result;
  const mpz_class a(static_cast<unsigned long>(value));
  const mpz_class m(static_cast<unsigned long>(modulus));
  if (mpz_invert(result.get_mpz_t(), a.get_mpz_t(), m.get_mpz_t()) == 0) return std::nullopt;
  return result.get_ui();
}

class Evaluator {
 public:
  explicit Evaluator(Budget& budget) : budget_(budget) {}

  Residue operator()(const Node& node, std::uint64_t modulus) {
    if (!budget_.spend()) return std::nullopt;
    switch (node.kind) {
      case Kind::kNumber:
        return rational(*node.number, modulus);
      case Kind::kNegate: {
        const Residue value = (*this)(node.child(0), modulus);
        if (!value) return value;
        return (modulus - *value) % modulus;
      }
      case Kind::kAdd:
      case Kind::kSubtract:
      case Kind::kMultiply:
      case Kind::kDivide:
        return arithmetic(node, modulus);
      case Kind::kPower:
        return power(node, modulus);
      case Kind::kFunction:
        if (node.text == "factorial") return factorial(node, modulus);
        if (node.text == "binom") return binomial(node, modulus);
        return std::nullopt;
      default:
        return std::nullopt;
    }
  }

 private:
  static Residue rational(const mpq_class& value, std::uint64_t modulus) {
    const unsigned long above = mpz_fdiv_ui(value.get_num().get_mpz_t(), modulus);
    if (value.get_den() == 1) return above;
    const Residue below = inverse(mpz_fdiv_ui(value.get_den().get_mpz_t(), modulus), modulus);
    if (!below) return below;
    return above * *below % modulus;
  }

  Residue arithmetic(const Node& node, std::uint64_t modulus) {
    const Residue left = (*this)(node.child(0), modulus);
    const Residue right = (*this)(node.child(1), modulus);
    if (!left || !right) return std::nullopt;
    if (node.is(Kind::kAdd)) return (*left + *right) % modulus;
    if (node.is(Kind::kSubtract)) return (*left + modulus - *right) % modulus;
    if (node.is(Kind::kMultiply)) return *left * *right % modulus;
    const Residue below = inverse(*right, modulus);
    if (!below) return below;
    return *left * *below % modulus;
  }

  Residue power(const Node& node, std::uint64_t modulus) {
    const Residue base = (*this)(node.child(0), modulus);
    if (!base) return base;
    if (const auto exponent = evaluate_exactly(node.child(1), {}, budget_)) {
      if (exponent->get_den() != 1) return std::nullopt;
      mpz_class result;
      const mpz_class b(static_cast<unsigned long>(*base));
      const mpz_class m(static_cast<unsigned long>(modulus));
      mpz_class size = abs(exponent->get_num());
      mpz_powm(result.get_mpz_t(), b.get_mpz_t(), size.get_mpz_t(), m.get_mpz_t());
      if (*exponent < 0) return inverse(result.get_ui(), modulus);
      return result.get_ui();
    }
    if (!large_and_positive(node.child(1))) return std::nullopt;
    // Euler, for any base once the exponent exceeds log2 of the modulus:
    // b^E = b^(E mod φ + φ).
    budget_.spend(100);
    const std::uint64_t order = totient(modulus);
    const Residue exponent = (*this)(node.child(1), order);
    if (!exponent) return exponent;
    return power_modulo(*base, *exponent + order, modulus);
  }

  // Built of positive parts only, hence (being too large to be formed) a large
  // positive integer.
  static bool large_and_positive(const Node& node) {
    switch (node.kind) {
      case Kind::kNumber:
        return *node.number > 0 && node.number->get_den() == 1;
      case Kind::kAdd:
      case Kind::kMultiply:
      case Kind::kPower:
        return large_and_positive(node.child(0)) && large_and_positive(node.child(1));
      case Kind::kFunction:
        return node.text == "factorial" || node.text == "binom";
      case Kind::kSubtract:  // less a number that was written out
        return large_and_positive(node.child(0)) && node.child(1).is(Kind::kNumber);
      default:
        return false;
    }
  }

  // Goes on from the largest factorial already known.
  std::uint64_t factorial_modulo(long n, std::uint64_t modulus) {
    Factorial start{modulus, 1, 1 % modulus};
    for (const Factorial& known : factorials_) {
      if (known.modulus == modulus && known.n <= n && known.n > start.n) start = known;
    }
    std::uint64_t result = start.value;
    for (long i = start.n + 1; i <= n && result != 0; ++i) {
      result = result * static_cast<std::uint64_t>(i) % modulus;
    }
    budget_.spend((n - start.n) / 120);
    factorials_.push_back({modulus, n, result});
    return result;
  }

  Residue factorial(const Node& node, std::uint64_t modulus) {
    const auto n = small_integer(node.child(0), budget_);
    if (!n || *n < 0 || *n > kMaxFactorial) return std::nullopt;
    return factorial_modulo(*n, modulus);
  }

  Residue binomial(const Node& node, std::uint64_t modulus) {
    const auto n = small_integer(node.child(0), budget_);
    const auto k = small_integer(node.child(1), budget_);
    if (!n || !k || *n < 0 || *n > kMaxFactorial) return std::nullopt;
    if (*k < 0 || *k > *n) return 0;
    const long smaller = std::min(*k, *n - *k);
    const std::uint64_t below =
        factorial_modulo(smaller, modulus) * factorial_modulo(*n - smaller, modulus) % modulus;
    const Residue inverted = inverse(below, modulus);
    if (!inverted) return inverted;
    return factorial_modulo(*n, modulus) * *inverted % modulus;
  }

  struct Factorial {
    std::uint64_t modulus;
    long n;
    std::uint64_t value;
  };

  Budget& budget_;
  std::vector<Factorial> factorials_;
};

}  // namespace

std::optional<bool> same_residues(const Node& a, const Node& b, Budget& budget) {
  Evaluator evaluate(budget);
  int agreed = 0;
  for (const std::uint64_t prime : kPrimes) {
    const Residue left = evaluate(a, prime);
    const Residue right = evaluate(b, prime);
    if (!left || !right) {
      if (agreed >= kEnough && budget.spent()) return true;
      return std::nullopt;
    }
    if (*left != *right) return false;
    ++agreed;
  }
  return true;
}

}  // namespace fbt::scorers::math
