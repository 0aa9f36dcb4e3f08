#pragma once

// Does repeating the feedback settle? Fused passes are Jacobi's iteration for
// the states of the recurrent model, s(n) = F(s(n-1)) at all positions at once:
// its diagnosis looks at the loss and at how far the states still move.
//
// A sequence of T tokens always ends at the recurrent model's exact states after
// T passes at the latest (position t depends on t passes only), so the diagnosis
// looks at n < T only.

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace fbt::mechanism {

enum class Verdict { kPlateau, kOscillates, kDiverges, kUndecided };

// "converges to a plateau", "oscillates", "diverges", "undecided".
std::string_view verdict_name(Verdict verdict);

struct ConvergenceOptions {
  double tolerance = 1e-3;  // of the loss, nats a token
  // A tail that moves and lies all of it this share above the lowest loss diverges.
  double rise = 0.02;
  // Tokens of the longest sequence: at this many steps and more nothing can move, and
  // they are not looked at. 0: all are.
  int longest_sequence = 0;
};

struct Convergence {
  Verdict verdict = Verdict::kUndecided;
  int last_step = 0;           // that is looked at
  int tail = 0;                // steps that decide, the last of them last_step
  double tail_range = 0;       // highest minus lowest loss in the tail
  double tail_trend = 0;       // mean loss of the tail's later half minus its earlier half
  double tail_lowest = 0;      // lowest loss in the tail
  double tail_over_plain = 0;  // mean loss of the tail minus the plain pass's
  double lowest_loss = 0;      // over all steps
  int lowest_step = 0;         // the first that has it
  double reversals = 0;        // share of the tail's steps at which the loss turns around
  // Mean factor a step by which the states' movement changes over the tail: the
  // iteration contracts where it is below 1. 0 once the states stand still.
  double contraction = 0;
  // First step from which on all later losses lie within the tolerance of its own.
  std::optional<int> settled_step;
};

// `loss[n]` after n feedback steps, n = 0 … N; `change[n]` the mean of
// ‖s(n) - s(n-1)‖, change[0] unused. The rule, first match counts:
//
//   a loss or change is not finite                             diverges
//   fewer than 4 feedback steps                                undecided
//   the tail is the last quarter of the steps below the longest
//     sequence's length, at least 4 of them
//   range <= tolerance, and the states move no more than at
//     the first step                                           plateau
//   the whole tail above (1 + rise) · the lowest loss          diverges
//   it turns around at a third of the tail's steps or more,
//     or only the states keep moving                           oscillates
//   it falls over the tail                                     undecided
//   it rises over the tail                                     diverges
//
// Precondition: as many changes as losses, at least one.
Convergence diagnose(std::span<const double> loss, std::span<const double> change,
                     const ConvergenceOptions& options = {});

// The verdict in words and how the tail compares with the plain pass: "converges
// to a plateau 1.032 nats above the plain pass", "oscillates 0.200 nats below the
// plain pass", "… level with the plain pass" within the tolerance. Without a tail
// the verdict's name alone.
std::string describe(const Convergence& convergence, const ConvergenceOptions& options);

// describe(), then the rule in one sentence with the figures that decided.
std::string explain(const Convergence& convergence, const ConvergenceOptions& options);

}  // namespace fbt::mechanism
