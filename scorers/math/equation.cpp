#include "scorers/math/equation.h"

#include <algorithm>
#include <optional>

#include "base/random.h"
#include "scorers/math/numeric.h"

namespace fbt::scorers::math {

namespace {

constexpr int kPoints = 3;
constexpr int kNewtonSteps = 60;
constexpr int kRoots = 6;
// A root counts as found when a step is smaller than this power of two.
constexpr long kConverged = -120;
constexpr long kZero = -50;

class Pair {
 public:
  Pair(const Node& f, const Node& g, Budget& budget) : f_(f), g_(g), budget_(budget) {
    names_ = variables_of(f);
    shared_ = names_ == variables_of(g) && !names_.empty();
  }

  bool same_unknowns() const { return shared_; }

  // f / g at random points: its constant value, or nothing where it is no constant.
  std::optional<Approximate> constant_ratio() {
    std::optional<Approximate> ratio;
    int found = 0;
    for (int k = 0; k < 3 * kPoints && found < kPoints; ++k) {
      const Bindings at = point(k);
      const MaybeApproximate f = value(f_, at);
      const MaybeApproximate g = value(g_, at);
      if (!f || !g || g->is_zero() || f->is_zero()) continue;
      const MaybeApproximate here = divide(*f, *g);
      if (!here) continue;
      if (ratio) {
        const Approximate change = *here - *ratio;
        if (change.exponent() > change.error + 8) return std::nullopt;
      }
      ratio = here;
      ++found;
    }
    return found == kPoints ? ratio : std::nullopt;
  }

  Comparison same_zeros() {
    const Comparison forth = zeros_of_first_are_zeros(f_, g_);
    if (forth != Comparison::kEqual) return forth;
    return zeros_of_first_are_zeros(g_, f_);
  }

 private:
  MaybeApproximate value(const Node& node, const Bindings& at) {
    return evaluate_numerically(node, at, options_, budget_).value;
  }

  Bindings point(int k) const {
    Bindings bindings;
    for (const std::string& name : names_) {
      const KeyedRandom random(stable_hash(name));
      const auto bits = random.bits(500 + static_cast<std::uint64_t>(k));
      mpq_class value(static_cast<long>(bits % 1999) + 307, 853);
      value.canonicalize();
      bindings.emplace_back(name, approximate(value, options_.precision));
    }
    return bindings;
  }

  Comparison zeros_of_first_are_zeros(const Node& f, const Node& g) {
    int found = 0;
    for (int k = 0; k < 3 * kRoots && found < kRoots; ++k) {
      // Another unknown is solved for each time.
      Bindings at = point(20 + k);
      const std::size_t solved = static_cast<std::size_t>(k / 2) % names_.size();
      if (!solve(f, at, solved, k)) continue;
      const MaybeApproximate there = value(g, at);
      if (!there) continue;
      Bindings aside = at;
      aside[solved].second =
          aside[solved].second + approximate(mpq_class(37, 100), options_.precision);
      const MaybeApproximate scale = value(g, aside);
      if (!scale || scale->is_zero()) continue;
      if (there->exponent() > scale->exponent() + kZero) return Comparison::kDifferent;
      ++found;
    }
    return found == kRoots ? Comparison::kEqual : Comparison::kUndecided;
  }

  // Moves one coordinate of `at` onto a zero of f (secant steps, complex).
  bool solve(const Node& f, Bindings& at, std::size_t solved, int k) {
    // Starts on all sides of zero, so that no branch is always missed.
    const Approximate turned = imaginary_unit(options_.precision) * at[solved].second;
    const Approximate starts[] = {at[solved].second, -at[solved].second, turned, -turned};
    Approximate previous = starts[k % 4];
    at[solved].second = previous;
    MaybeApproximate f_previous = value(f, at);
    mpq_class offset(3 + k, 17);
    offset.canonicalize();
    Approximate current = previous + approximate(offset, options_.precision);
    for (int step = 0; step < kNewtonSteps && f_previous; ++step) {
      at[solved].second = exact(current);
      const MaybeApproximate f_current = value(f, at);
      if (!f_current) return false;
      if (f_current->is_zero()) return true;
      const MaybeApproximate slope = divide(*f_current - *f_previous, current - previous);
      if (!slope) return false;
      const MaybeApproximate move = divide(*f_current, *slope);
      if (!move) return false;
      previous = current;
      f_previous = f_current;
      current = exact(current - *move);
      if (move->exponent() < kConverged) {
        at[solved].second = current;
        return true;
      }
    }
    return false;
  }

  // An iterate is what it is: it carries no error of its own.
  Approximate exact(Approximate value) const {
    value.error = value.exponent() - options_.precision;
    return value;
  }

  const Node& f_;
  const Node& g_;
  Budget& budget_;
  NumericOptions options_;
  std::vector<std::string> names_;
  bool shared_ = false;
};

const Node& difference(const Node& relation, Arena& arena) {
  return arena.make(Kind::kSubtract, {&relation.child(0), &relation.child(1)});
}

}  // namespace

Comparison same_equation(const Node& a, const Node& b, Arena& arena, Budget& budget) {
  const WideExponents exponents;
  Pair pair(difference(a, arena), difference(b, arena), budget);
  if (!pair.same_unknowns()) return Comparison::kDifferent;
  if (pair.constant_ratio()) return Comparison::kEqual;
  return pair.same_zeros();
}

Comparison same_inequality(const Node& a, const Node& b, Arena& arena, Budget& budget) {
  const WideExponents exponents;
  Pair pair(difference(a, arena), difference(b, arena), budget);
  if (!pair.same_unknowns()) return Comparison::kDifferent;
  const auto ratio = pair.constant_ratio();
  if (!ratio || !ratio->is_real()) return Comparison::kDifferent;
  const auto strict = [](char code) { return code == '<' || code == '>'; };
  const auto below = [](char code) { return code == '<' || code == 'l'; };
  if (strict(a.text[0]) != strict(b.text[0])) return Comparison::kDifferent;
  const bool same_way = below(a.text[0]) == below(b.text[0]);
  return same_way == !ratio->re.negative() ? Comparison::kEqual : Comparison::kDifferent;
}

}  // namespace fbt::scorers::math
