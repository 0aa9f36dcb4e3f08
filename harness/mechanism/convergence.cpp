#include "harness/mechanism/convergence.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace fbt::mechanism {
namespace {

constexpr int kShortestTail = 4;

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Share of the steps between the first and the last at which the direction turns.
double reversals(std::span<const double> values) {
  int turns = 0;
  for (std::size_t i = 2; i < values.size(); ++i) {
    if ((values[i] - values[i - 1]) * (values[i - 1] - values[i - 2]) < 0) ++turns;
  }
  return turns / static_cast<double>(values.size() - 2);
}

std::optional<int> settled_step(std::span<const double> loss, double tolerance) {
  std::optional<int> settled;
  double low = loss.back();
  double high = loss.back();
  // The last step has no later ones and would settle trivially.
  for (std::size_t n = loss.size() - 1; n-- > 0;) {
    if (std::max(high - loss[n], loss[n] - low) < tolerance) settled = static_cast<int>(n);
    low = std::min(low, loss[n]);
    high = std::max(high, loss[n]);
  }
  return settled;
}

Verdict judge(const Convergence& c, double states_moved, const ConvergenceOptions& options) {
  const bool steady = c.tail_range <= options.tolerance;
  if (steady && states_moved <= 1) return Verdict::kPlateau;
  if (c.tail_lowest > (1 + options.rise) * c.lowest_loss) return Verdict::kDiverges;
  if (steady || c.reversals >= 1.0 / 3) return Verdict::kOscillates;
  return c.tail_trend < 0 ? Verdict::kUndecided : Verdict::kDiverges;
}

}  // namespace

std::string_view verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPlateau:
      return "converges to a plateau";
    case Verdict::kOscillates:
      return "oscillates";
    case Verdict::kDiverges:
      return "diverges";
    case Verdict::kUndecided:
      break;
  }
  return "undecided";
}

Convergence diagnose(std::span<const double> loss, std::span<const double> change,
                     const ConvergenceOptions& options) {
  if (options.longest_sequence > 0) {
    const auto moving = static_cast<std::size_t>(options.longest_sequence);
    loss = loss.first(std::min(loss.size(), moving));
    change = change.first(std::min(change.size(), moving));
  }
  Convergence c;
  c.last_step = static_cast<int>(loss.size()) - 1;
  const auto finite = [](double value) { return std::isfinite(value); };
  if (!std::all_of(loss.begin(), loss.end(), finite) ||
      !std::all_of(change.begin(), change.end(), finite)) {
    c.verdict = Verdict::kDiverges;
    return c;
  }
  const auto lowest = std::min_element(loss.begin(), loss.end());
  c.lowest_loss = *lowest;
  c.lowest_step = static_cast<int>(lowest - loss.begin());
  c.settled_step = settled_step(loss, options.tolerance);

  if (c.last_step < kShortestTail) return c;
  c.tail = std::max(kShortestTail, c.last_step / 4);
  const auto length = static_cast<std::size_t>(c.tail);
  const std::span<const double> tail = loss.last(length);
  const std::span<const double> moves = change.last(length);
  const auto [low, high] = std::minmax_element(tail.begin(), tail.end());
  c.tail_range = *high - *low;
  c.tail_lowest = *low;
  c.tail_over_plain = mean(tail) - loss.front();
  c.tail_trend = mean(tail.last(length / 2)) - mean(tail.first(length / 2));
  c.reversals = reversals(tail);
  c.contraction =
      moves.front() > 0 ? std::pow(moves.back() / moves.front(), 1.0 / (c.tail - 1)) : 0;
  const double states_moved = change[1] > 0 ? mean(moves) / change[1] : 0;
  c.verdict = judge(c, states_moved, options);
  return c;
}

std::string describe(const Convergence& c, const ConvergenceOptions& options) {
  if (c.tail == 0) return std::string(verdict_name(c.verdict));
  if (std::abs(c.tail_over_plain) <= options.tolerance) {
    return fmt::format("{} level with the plain pass", verdict_name(c.verdict));
  }
  return fmt::format("{} {:.3f} nats {} the plain pass", verdict_name(c.verdict),
                     std::abs(c.tail_over_plain), c.tail_over_plain > 0 ? "above" : "below");
}

std::string explain(const Convergence& c, const ConvergenceOptions& options) {
  if (c.tail == 0) {
    return c.verdict == Verdict::kDiverges
               ? "diverges: a loss or a state is not a finite number"
               : fmt::format("undecided: fewer than {} feedback steps", kShortestTail);
  }
  return fmt::format(
      "{}: from step {} to {} the loss varies by {:.4g} (tolerance {:.4g}), its lowest {:.4f} "
      "is {:+.2f} % from the lowest of all ({:.4f} at step {}; {:g} % would be divergence), it "
      "turns around at {:.0f} % of the steps, drifts by {:+.4g}, and the states' movement changes "
      "by a factor of {:.3f} a step",
      describe(c, options), c.last_step - c.tail + 1, c.last_step, c.tail_range, options.tolerance,
      c.tail_lowest, 100 * (c.tail_lowest / c.lowest_loss - 1), c.lowest_loss, c.lowest_step,
      100 * options.rise, 100 * c.reversals, c.tail_trend, c.contraction);
}

}  // namespace fbt::mechanism
