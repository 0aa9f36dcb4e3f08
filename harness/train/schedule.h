#pragma once

// What changes from step to step: the learning rate and the number of passes.

#include <cstdint>
#include <vector>

namespace fbt::train {

// Warm-up, stable, decay: the factor on the learning rate rises in equal steps
// to 1 over the first `warmup_steps` steps, stays, and falls linearly over the
// last `cooldown_steps`, so that the step after the last would have 0.
struct WsdSchedule {
  std::int64_t steps = 0;
  std::int64_t warmup_steps = 0;
  std::int64_t cooldown_steps = 0;

  double factor(std::int64_t step) const;
  bool in_cooldown(std::int64_t step) const { return step >= steps - cooldown_steps; }
};

// How many passes a step's batch gets. `shares[i]` is the share of all steps
// that have i + 1 passes. Steps before `first_feedback_step` have one pass; the
// feedback passes fall on the later steps, by a draw named (seed, step).
class PassSchedule {
 public:
  // Throws InputError unless the shares are not negative, sum to 1 (to 1e-6)
  // and the feedback passes fit into the steps from `first_feedback_step` on.
  PassSchedule(std::vector<double> shares, std::int64_t steps, std::int64_t first_feedback_step,
               std::uint64_t seed);

  int passes(std::int64_t step) const;
  // The mean over steps that the shares promise.
  double average_passes() const;

 private:
  std::vector<double> shares_;
  std::int64_t first_feedback_step_;
  std::uint64_t seed_;
  double stretch_;  // steps per step that may have feedback passes
};

}  // namespace fbt::train
