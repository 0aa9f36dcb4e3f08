#pragma once

// Completion tracking: a log of updates raises two counters, `required` and
// `completed`; idle updates follow; then "all done:". Label 1 where the counters
// are equal. Published size: 1,600 samples in 80 groups, here two pairs a group
// at each of five numbers of idle updates.

#include "tasks/probing/probe_dataset.h"

namespace fbt::tasks::probing {

inline constexpr int kCompletionGroups = 80;

// Throws InputError for a group count or idle count below zero.
ProbeDataset completion_tracking(const ProbeOptions& options = {});

}  // namespace fbt::tasks::probing
