#include <algorithm>
#include <cctype>

#include "scorers/math/comparer.h"
#include "scorers/math/exact.h"
#include "scorers/math/rewrite.h"

namespace fbt::scorers::math {

namespace {

bool holds(const Node& node, Kind kind) {
  return any_node(node, [kind](const Node& part) { return part.is(kind); });
}

bool holds_pi(const Node& node) {
  return any_node(node,
                  [](const Node& part) { return part.is(Kind::kConstant) && part.text == "pi"; });
}

// ∞ with its sign: 1, -1, or 0 for anything else.
int infinity_sign(const Node& node) {
  if (node.is(Kind::kConstant) && node.text == "infty") return 1;
  if (node.is(Kind::kNegate)) return -infinity_sign(node.child(0));
  return 0;
}

Outcome outcome_of(Comparison comparison, const char* rule) {
  return {comparison, comparison == Comparison::kUndecided ? "undecided" : rule};
}

// Minutes since midnight; `half_day` empty for a 24-hour time.
struct TimeOfDay {
  long seconds = 0;
  bool half_day = false;
};

}  // namespace

Outcome Comparer::scalars(const Node& a, const Node& b) {
  if (infinity_sign(a) != 0 || infinity_sign(b) != 0) {
    const bool same = infinity_sign(a) == infinity_sign(b);
    return {same ? Comparison::kEqual : Comparison::kDifferent, "infinity"};
  }
  if (a.is(Kind::kDomain) || b.is(Kind::kDomain)) return {Comparison::kDifferent, "set"};
  if (a.is(Kind::kBased) || b.is(Kind::kBased)) return bases(a, b);
  if (a.is(Kind::kRatio) || b.is(Kind::kRatio)) return ratios(a, b);
  if (same_choice_letter(a, b)) return {Comparison::kEqual, "choice"};
  if (holds(a, Kind::kPercent) != holds(b, Kind::kPercent)) return percentages(a, b);
  return values(a, b);
}

Outcome Comparer::values(const Node& a, const Node& b) {
  const Comparison plain = compare_values(a, b, budget_);
  if (plain == Comparison::kEqual) return {plain, "value"};
  // One side in degrees, the other in radians.
  if (holds(a, Kind::kDegree) != holds(b, Kind::kDegree) && (holds_pi(a) || holds_pi(b))) {
    if (compare_values(a, b, budget_, {.degrees_outside = true}) == Comparison::kEqual) {
      return {Comparison::kEqual, "degrees_as_radians"};
    }
  }
  if (is_rounding_of(a, b, budget_) || is_rounding_of(b, a, budget_)) {
    return {Comparison::kEqual, "rounded"};
  }
  if (equal_without_unit_letter(a, b)) return {Comparison::kEqual, "value"};
  return outcome_of(plain, "value");
}

// 50 % is 0.5 and, where only one side has the sign, 50 as well.
Outcome Comparer::percentages(const Node& a, const Node& b) {
  const Outcome as_fraction = values(a, b);
  if (as_fraction.equal()) return {Comparison::kEqual, "percent"};
  const Outcome bare =
      values(without(a, Kind::kPercent, arena_), without(b, Kind::kPercent, arena_));
  return {bare.comparison, bare.equal() ? "percent" : bare.rule};
}

Outcome Comparer::bases(const Node& gold, const Node& predicted) {
  const auto digits = [](const Node& node) {
    const std::string& text = node.text;
    return text.substr(std::min(text.find_first_not_of('0'), text.size()));
  };
  if (gold.is(Kind::kBased) && predicted.is(Kind::kBased)) {
    const bool same = digits(gold) == digits(predicted) && *gold.number == *predicted.number;
    return {same ? Comparison::kEqual : Comparison::kDifferent, "base"};
  }
  // The question fixes the base, so its numeral may stand bare.
  if (gold.is(Kind::kBased)) {
    const bool same = predicted.is(Kind::kNumber) && digits(gold) == digits(predicted);
    return {same ? Comparison::kEqual : Comparison::kDifferent, "base"};
  }
  return values(gold, predicted);
}

Outcome Comparer::ratios(const Node& a, const Node& b) {
  const auto time_of = [this](const Node& node) -> std::optional<TimeOfDay> {
    if (!node.is(Kind::kRatio) || node.children.size() > 3) return std::nullopt;
    TimeOfDay time;
    time.half_day = !node.text.empty();
    static constexpr long kScales[] = {3600, 60, 1};
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      const Node& part = node.child(i);
      // Minutes and seconds have two digits: 3:5 is a ratio.
      if (!part.is(Kind::kNumber) || (i > 0 && part.text.size() != 2)) return std::nullopt;
      const auto value = small_integer(part, budget_);
      if (!value || *value > (i == 0 ? 24 : 59)) return std::nullopt;
      time.seconds += *value * kScales[i];
    }
    if (node.text == "pm" && time.seconds < 12 * 3600) time.seconds += 12 * 3600;
    if (node.text == "am" && time.seconds >= 12 * 3600) time.seconds -= 12 * 3600;
    return time;
  };
  const auto left = time_of(a);
  const auto right = time_of(b);
  if (left && right) {
    // "9:30" may leave out which half of the day is meant.
    constexpr long kHalfDay = 12 * 3600;
    const bool same = left->half_day == right->half_day
                          ? left->seconds == right->seconds
                          : left->seconds % kHalfDay == right->seconds % kHalfDay;
    return {same ? Comparison::kEqual : Comparison::kDifferent, "time"};
  }
  if (a.is(Kind::kRatio) && b.is(Kind::kRatio)) {
    // 3:05 can only be a time, 3:5 only a ratio.
    const auto padded = [](const Node& node) {
      return std::any_of(node.children.begin() + 1, node.children.end(), [](const Node* part) {
        return part->text.size() > 1 && part->text[0] == '0';
      });
    };
    if (a.children.size() != b.children.size() || padded(a) != padded(b)) {
      return {Comparison::kDifferent, "ratio"};
    }
    // a : b : c is known up to a factor: compare the cross products.
    for (std::size_t i = 1; i < a.children.size(); ++i) {
      const Node& one = arena_.make(Kind::kMultiply, {a.children[0], b.children[i]});
      const Node& other = arena_.make(Kind::kMultiply, {a.children[i], b.children[0]});
      const Comparison part = compare_values(one, other, budget_);
      if (part != Comparison::kEqual) return outcome_of(part, "ratio");
    }
    return {Comparison::kEqual, "ratio"};
  }
  const Node& ratio = a.is(Kind::kRatio) ? a : b;
  const Node& other = a.is(Kind::kRatio) ? b : a;
  if (ratio.children.size() != 2 || (left && right) || !ratio.text.empty()) {
    return {Comparison::kDifferent, "ratio"};
  }
  const Node& quotient = arena_.make(Kind::kDivide, {ratio.children[0], ratio.children[1]});
  return outcome_of(compare_values(quotient, other, budget_), "ratio");
}

// a ≡ r (mod m): the same class of the same modulus.
Outcome Comparer::residue_classes(const Node& a, const Node& b) {
  const auto modulus = small_integer(a.child(1), budget_);
  const auto other = small_integer(b.child(1), budget_);
  if (!modulus || !other || *modulus < 1) return {};
  if (*modulus != *other) return {Comparison::kDifferent, "residue"};
  const auto residue = [&](const Node& node) -> std::optional<long> {
    const Node& value = node.is(Kind::kRelation) ? *node.children.back() : node;
    const auto integer = small_integer(value, budget_);
    if (!integer) return std::nullopt;
    return ((*integer % *modulus) + *modulus) % *modulus;
  };
  const auto left = residue(a.child(0));
  const auto right = residue(b.child(0));
  if (!left || !right) return {};
  return {*left == *right ? Comparison::kEqual : Comparison::kDifferent, "residue"};
}

// (A) and (a): the letter of a choice, told by its parentheses.
bool Comparer::same_choice_letter(const Node& a, const Node& b) const {
  if (!a.is(Kind::kVariable) || !b.is(Kind::kVariable)) return false;
  if (a.text.size() != 1 || b.text.size() != 1) return false;
  if (!a.parenthesised && !b.parenthesised) return false;
  const auto small = [](const Node& node) {
    return std::tolower(static_cast<unsigned char>(node.text[0]));
  };
  return small(a) == small(b);
}

// "1.5 m" against a number: the letter is a unit. Against anything that has
// variables it is one of them.
bool Comparer::equal_without_unit_letter(const Node& a, const Node& b) {
  const auto is_letter = [](const Node& node) {
    static constexpr std::string_view kLetters = "mgshLNJW";
    const Node& letter = node.is(Kind::kPower) ? node.child(0) : node;
    return letter.is(Kind::kVariable) && letter.text.size() == 1 &&
           kLetters.find(letter.text[0]) != std::string_view::npos;
  };
  const auto without_letters = [&](const Node& node) {
    const Node* value = &node;
    while ((value->is(Kind::kMultiply) || value->is(Kind::kDivide)) && is_letter(value->child(1))) {
      value = value->children[0];
    }
    return value;
  };
  const Node* left = without_letters(a);
  const Node* right = without_letters(b);
  const bool one_sided = (left != &a) != (right != &b);
  if (!one_sided || !variables_of(*left).empty() || !variables_of(*right).empty()) return false;
  return equal(*left, *right);
}

}  // namespace fbt::scorers::math
