#pragma once

// One limit of the policy held against one pair of runs.
//
// Losses and growth are tested for non-inferiority: the candidate passes where
// the one-sided confidence bound of the paired change lies within the limit,
// so that a candidate that is worse by the limit passes with probability of at
// most the level. It fails where it is shown to be worse than the baseline
// (Holm's correction over all tests of the gate) and not shown to be within
// the limit, so that an equal candidate fails the gate with probability of at
// most the level. Between the two, the documents cannot tell.

#include <optional>
#include <span>
#include <string>

#include "results/gate/policy.h"
#include "results/statistics/paired.h"

namespace fbt::results {

enum class GateStatus {
  kPass,
  kFail,
  kUndecided,  // too few documents to tell
  kInvalid,    // missing, incomplete or mismatched runs
};

// "pass", "fail", "undecided", "invalid".
const char* gate_status_name(GateStatus status);

struct GateCheck {
  enum class Kind { kFloor, kScore, kTrace } kind = Kind::kFloor;
  GateStatus status = GateStatus::kPass;
  std::string reason;  // why it does not pass; empty: it does
  double baseline = 0;
  double candidate = 0;
  double change = 0;  // of the score (points as fractions), or relative of the trace length
  double limit = 0;   // floor, margin or largest growth
  std::size_t documents = 0;
  // Of the tested kinds: the bound of the change (lower for scores, upper for
  // trace lengths) at the policy's level, and the p-value of "worse".
  std::optional<double> bound;
  double p_worse = 1;
  // The smallest true loss (or growth) that fails with the policy's power, and
  // the probability that an equally good candidate passes.
  double detectable = 0;
  double power = 0;
};

// Whether `score` reaches the floor. No test: the figure itself.
GateCheck floor_check(double floor, double score, std::size_t documents);

// Per-document scores, or trace lengths, of the same documents. Status and
// power are filled in by decide(), once all tests of the gate are known.
// Precondition: not empty, of one length.
GateCheck score_check(double margin, std::span<const double> baseline,
                      std::span<const double> candidate, std::span<const std::string> subjects,
                      double level);
GateCheck trace_check(double max_growth, std::span<const double> baseline,
                      std::span<const double> candidate, double level);

// `p_holm`: p_worse corrected over the gate's `tests` tests.
void decide(GateCheck& check, double p_holm, std::size_t tests, double level, double power);

}  // namespace fbt::results
