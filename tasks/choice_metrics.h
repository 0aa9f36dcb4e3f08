#pragma once

// The metrics of multiple-choice documents, as lm-eval defines them.

#include <span>
#include <string>
#include <vector>

#include "tasks/task.h"

namespace fbt::tasks {

// One right choice: 1 where the best choice is the right one, else 0. The best has
//   acc        the highest log-likelihood
//   acc_norm   the highest log-likelihood per code point of the choice
//   acc_bytes  the highest log-likelihood per byte of the choice
// and is the first of several that are equal. The choice's length does not count
// the delimiter; nor, for partial scoring, does it matter that the choice stands
// in the context.
// A list of truths (TruthfulQA's MC2): acc is the probability mass of the choices
// before the first false one, over that of all.
// Precondition: one log-likelihood per choice, one choice at least.
std::vector<MetricValue> choice_metrics(const std::vector<std::string>& metrics,
                                        const Document& document,
                                        std::span<const double> log_likelihoods);

}  // namespace fbt::tasks
