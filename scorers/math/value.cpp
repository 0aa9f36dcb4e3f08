#include "scorers/math/value.h"

#include <algorithm>
#include <cstdint>

#include "base/random.h"
#include "scorers/math/exact.h"
#include "scorers/math/function.h"
#include "scorers/math/modular.h"
#include "scorers/math/numeric.h"

namespace fbt::scorers::math {

namespace {

// Real points at which two expressions must agree.
constexpr int kNeededPoints = 4;
constexpr int kTriedPoints = 12;

// The zero test: below its error the difference is zero, provided the error
// leaves at least this many bits of the values; above it, it is not.
constexpr long kTrustedBits = 40;

Comparison compare_approximate(const Approximate& a, const Approximate& b) {
  const Approximate difference = a - b;
  if (difference.exponent() > difference.error + 8) return Comparison::kDifferent;
  const long size = std::max(a.exponent(), b.exponent());
  // Cancelled beyond trust, unless what is left is tiny in itself (sin π).
  const bool trusted = difference.error < std::max(size, -60L) - kTrustedBits;
  return trusted ? Comparison::kEqual : Comparison::kUndecided;
}

bool contains(const Node& node, Kind kind) {
  return any_node(node, [kind](const Node& part) { return part.is(kind); });
}

bool contains_function(const Node& node, const char* name) {
  return any_node(node, [name](const Node& part) { return part.is_function(name); });
}

// Expressions that make sense for integers only, or are sampled best there.
bool wants_integers(const Node& node) {
  return any_node(node, [](const Node& part) {
    if (part.is(Kind::kFunction)) {
      return (part.text == "factorial" || part.text == "binom" || part.text == "gcd" ||
              part.text == "lcm") &&
             !variables_of(part).empty();
    }
    if (part.is(Kind::kModulo)) return true;
    if (part.is(Kind::kBigOperator) && part.children.size() == 4 && part.text != "int") {
      return !variables_of(part.child(2)).empty() || !variables_of(part.child(3)).empty();
    }
    return part.is(Kind::kPower) && part.child(0).is(Kind::kNegate) &&
           !variables_of(part.child(1)).empty();
  });
}

// + - × ÷ and integer powers: exact at rational points, whatever their signs.
bool is_rational_function(const Node& node) {
  switch (node.kind) {
    case Kind::kNumber:
    case Kind::kVariable:
      return true;
    case Kind::kPower:
      return is_rational_function(node.child(0)) && node.child(1).is(Kind::kNumber) &&
             node.child(1).number->get_den() == 1 && abs(*node.child(1).number) < 200;
    case Kind::kAdd:
    case Kind::kSubtract:
    case Kind::kMultiply:
    case Kind::kDivide:
    case Kind::kNegate:
    case Kind::kPercent:
      return std::all_of(node.children.begin(), node.children.end(),
                         [](const Node* child) { return is_rational_function(*child); });
    default:
      return false;
  }
}

class Comparator {
 public:
  Comparator(const Node& a, const Node& b, Budget& budget, const ValueOptions& options)
      : a_(a), b_(b), budget_(budget) {
    numeric_.degrees_outside = options.degrees_outside;
  }

  Comparison run() {
    names_ = variables_of(a_);
    const std::vector<std::string> others = variables_of(b_);
    names_.insert(names_.end(), others.begin(), others.end());
    std::sort(names_.begin(), names_.end());
    names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
    if (!contains_function(a_, "lg") && !contains_function(b_, "lg")) return under_reading();
    // \log may mean either logarithm; one reading under which both agree is enough.
    numeric_.common_logarithm = true;
    const Comparison common = under_reading();
    if (common == Comparison::kEqual) return common;
    numeric_.common_logarithm = false;
    return under_reading();
  }

 private:
  Comparison under_reading() { return names_.empty() ? constants() : functions(); }

  // ---- constants ----

  Comparison constants() {
    const bool degrees =
        numeric_.degrees_outside && (contains(a_, Kind::kDegree) || contains(b_, Kind::kDegree));
    if (!degrees) {
      const auto left = evaluate_exactly(a_, {}, budget_);
      if (left) {
        const auto right = evaluate_exactly(b_, {}, budget_);
        if (right) return *left == *right ? Comparison::kEqual : Comparison::kDifferent;
      }
    }
    numeric_.precision = 192;
    const Comparison first = numerically({});
    if (first == Comparison::kDifferent) return first;
    return confirmed(first);
  }

  // Equal, or too close to tell, at 192 bits: look harder.
  Comparison confirmed(Comparison first) {
    if (const auto same = same_residues(a_, b_, budget_)) {
      return *same ? Comparison::kEqual : Comparison::kDifferent;
    }
    if (too_large_)
      return logarithms() == Comparison::kDifferent ? Comparison::kDifferent
                                                    : Comparison::kUndecided;
    if (unknown_ && first == Comparison::kUndecided) return first;
    const long needed = std::clamp(largest_exponent_ + 128, 640L, 8192L);
    const bool numeric_integral =
        contains(a_, Kind::kBigOperator) || contains(b_, Kind::kBigOperator);
    if (numeric_integral) return first;
    numeric_.precision = needed;
    return numerically({});
  }

  Comparison logarithms() {
    numeric_.precision = 256;
    const MaybeApproximate left = evaluate_logarithm(a_, numeric_, budget_);
    const MaybeApproximate right = evaluate_logarithm(b_, numeric_, budget_);
    if (!left || !right) return Comparison::kUndecided;
    return compare_approximate(*left, *right);
  }

  // Both sides at one point.
  Comparison numerically(const Bindings& point) {
    const NumericResult left = evaluate_numerically(a_, point, numeric_, budget_);
    const NumericResult right = evaluate_numerically(b_, point, numeric_, budget_);
    unknown_ = left.unknown || right.unknown;
    too_large_ = left.too_large || right.too_large;
    both_real_ = left.value && right.value && real(*left.value) && real(*right.value);
    if (!left.value || !right.value) {
      if (too_large_ && point.empty() && !unknown_) return logarithms();
      if (unknown_ || too_large_ || (!left.value && !right.value)) return Comparison::kUndecided;
      return Comparison::kDifferent;  // one has a value, the other has none
    }
    largest_exponent_ = std::max(left.value->exponent(), right.value->exponent());
    return compare_approximate(*left.value, *right.value);
  }

  static bool real(const Approximate& value) {
    return value.im.zero() || value.im.exponent() <= value.error + 4;
  }

  // ---- functions of variables ----

  Comparison functions() {
    if (is_rational_function(a_) && is_rational_function(b_)) {
      const Comparison exact = rationally();
      if (exact != Comparison::kUndecided) return exact;
    }
    const bool integers = wants_integers(a_) || wants_integers(b_);
    int agreements = 0;
    int complex_agreements = 0;
    bool complex_difference = false;
    for (int k = 0; k < kTriedPoints && agreements < kNeededPoints && !budget_.spent(); ++k) {
      const Comparison here = numerically(point(k, integers));
      if (here == Comparison::kUndecided) {
        if (unknown_) return here;
        continue;
      }
      const bool equal = here == Comparison::kEqual;
      if (both_real_) {
        if (!equal) return here;
        ++agreements;
      } else if (k % 2 == 0) {  // positive values: no branch cut in the way
        if (equal) {
          ++complex_agreements;
        } else {
          complex_difference = true;
        }
      }
    }
    if (agreements > 0) {
      return agreements >= 2 ? Comparison::kEqual : Comparison::kUndecided;
    }
    if (complex_difference) return Comparison::kDifferent;
    return complex_agreements >= 2 ? Comparison::kEqual : Comparison::kUndecided;
  }

  // Random values from the variable's name, so that equal names get equal values.
  mpq_class value_at(const std::string& name, int k, bool integers) const {
    const KeyedRandom random(stable_hash(name));
    const std::uint64_t bits = random.bits(static_cast<std::uint64_t>(k) + 1);
    if (integers) return mpq_class(static_cast<long>(bits % 23) + 2);
    mpq_class value(static_cast<long>(bits % 2003) + 211, 701);  // 0.3 to 3.2
    if (k % 3 == 1) value *= 7;
    if (k >= 4 && k < 8) value /= 4;
    if (k % 2 == 1 && (bits >> 40) % 2 == 0) value = -value;
    value.canonicalize();
    return value;
  }

  Bindings point(int k, bool integers) const {
    Bindings bindings;
    for (const std::string& name : names_) {
      bindings.emplace_back(name, approximate(value_at(name, k, integers), numeric_.precision));
    }
    return bindings;
  }

  // Two points suffice: a rational function that is not zero vanishes at a random
  // point of this many bits with a chance below one in millions.
  Comparison rationally() {
    int agreements = 0;
    for (int k = 0; k < 4 && agreements < 2; ++k) {
      ExactBindings bindings;
      for (const std::string& name : names_) {
        const KeyedRandom random(stable_hash(name));
        const std::uint64_t bits = random.bits(1000 + static_cast<std::uint64_t>(k));
        bindings.emplace_back(name, mpq_class(static_cast<long>(bits % 1000003) - 400000));
      }
      const auto left = evaluate_exactly(a_, bindings, budget_);
      const auto right = evaluate_exactly(b_, bindings, budget_);
      if (!left && !right) continue;
      if (!left || !right) return Comparison::kUndecided;
      if (*left != *right) return Comparison::kDifferent;
      ++agreements;
    }
    return agreements == 2 ? Comparison::kEqual : Comparison::kUndecided;
  }

  const Node& a_;
  const Node& b_;
  Budget& budget_;
  NumericOptions numeric_;
  std::vector<std::string> names_;
  bool unknown_ = false;
  bool too_large_ = false;
  bool both_real_ = false;
  long largest_exponent_ = 0;
};

bool has_value(const Node& node) {
  return !any_node(node, [](const Node& part) {
    switch (part.kind) {
      case Kind::kText:
      case Kind::kEllipsis:
      case Kind::kPlusMinus:
      case Kind::kRatio:
      case Kind::kTuple:
      case Kind::kSet:
      case Kind::kSetBuilder:
      case Kind::kPiecewise:
      case Kind::kList:
      case Kind::kSetOperation:
      case Kind::kDomain:
      case Kind::kRelation:
        return true;
      default:
        return false;
    }
  });
}

}  // namespace

Comparison compare_values(const Node& a, const Node& b, Budget& budget,
                          const ValueOptions& options) {
  if (!has_value(a) || !has_value(b)) return Comparison::kUndecided;
  if (a.is(Kind::kMatrix) || b.is(Kind::kMatrix)) return Comparison::kUndecided;
  if (same_tree(a, b)) return Comparison::kEqual;
  const WideExponents exponents;
  return Comparator(a, b, budget, options).run();
}

bool is_rounding_of(const Node& decimal, const Node& exact, Budget& budget) {
  const Node& literal = decimal.is(Kind::kNegate) ? decimal.child(0) : decimal;
  if (!literal.is(Kind::kNumber)) return false;
  const std::size_t point = literal.text.find('.');
  if (point == std::string::npos || !variables_of(exact).empty() || !has_value(exact)) return false;
  const std::size_t places = literal.text.size() - point - 1;
  std::string digits = literal.text;
  digits.erase(point, 1);
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
  if (literal.ellipsis ? places < 3 : digits.size() < 12) return false;
  const WideExponents exponents;
  NumericOptions options;
  const NumericResult value = evaluate_numerically(exact, {}, options, budget);
  if (!value.value || !value.value->is_real()) return false;
  mpq_class signed_literal = *literal.number;
  if (decimal.is(Kind::kNegate)) signed_literal = -signed_literal;
  const Approximate gap = magnitude(*value.value - approximate(signed_literal, options.precision));
  mpq_class unit;
  mpz_ui_pow_ui(unit.get_den().get_mpz_t(), 10, places);
  unit.get_num() = 1;
  return !(Real(unit, options.precision) < gap.re);
}

}  // namespace fbt::scorers::math
