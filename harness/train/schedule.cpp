#include "harness/train/schedule.h"

#include <fmt/format.h>

#include <cmath>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "base/random.h"

namespace fbt::train {

double WsdSchedule::factor(std::int64_t step) const {
  double factor = 1;
  if (step < warmup_steps) {
    factor = static_cast<double>(step + 1) / static_cast<double>(warmup_steps);
  }
  if (in_cooldown(step)) {
    factor *= static_cast<double>(steps - step) / static_cast<double>(cooldown_steps);
  }
  return factor;
}

PassSchedule::PassSchedule(std::vector<double> shares, std::int64_t steps,
                           std::int64_t first_feedback_step, std::uint64_t seed)
    : shares_(std::move(shares)), first_feedback_step_(first_feedback_step), seed_(seed) {
  double sum = 0;
  for (const double share : shares_) {
    if (share < 0) throw InputError(fmt::format("--passes: share {} is negative", share));
    sum += share;
  }
  if (shares_.empty() || std::abs(sum - 1) > 1e-6) {
    throw InputError(fmt::format("--passes: the shares sum to {}; make them sum to 1", sum));
  }
  const double feedback = 1 - shares_[0];
  const auto late = static_cast<double>(steps - first_feedback_step);
  stretch_ = feedback > 0 ? static_cast<double>(steps) / late : 1;
  if (feedback > 0 && (late <= 0 || feedback * stretch_ > 1 + 1e-6)) {
    throw InputError(
        fmt::format("--passes: a share of {} with feedback passes does not fit into the steps from "
                    "--feedback-start on; start earlier",
                    feedback));
  }
}

int PassSchedule::passes(std::int64_t step) const {
  if (step < first_feedback_step_) return 1;
  double left = KeyedRandom(stable_hash("passes", seed_)).uniform(static_cast<std::uint64_t>(step));
  for (std::size_t i = shares_.size() - 1; i > 0; --i) {
    left -= shares_[i] * stretch_;
    if (left < 0) return static_cast<int>(i) + 1;
  }
  return 1;
}

double PassSchedule::average_passes() const {
  double average = 0;
  for (std::size_t i = 0; i < shares_.size(); ++i)
    average += shares_[i] * static_cast<double>(i + 1);
  return average;
}

}  // namespace fbt::train
