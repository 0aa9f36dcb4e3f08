#pragma once

// Delayed recall: one bit is said, unrelated text follows, then its name and a
// colon. The label is the bit. Published size: 1,280 samples in 128 groups, here
// one pair a group at each of five lengths of the unrelated text.

#include "tasks/probing/probe_dataset.h"

namespace fbt::tasks::probing {

inline constexpr int kRecallGroups = 128;

// Throws InputError for a group count or idle count below zero.
ProbeDataset delayed_recall(const ProbeOptions& options = {});

}  // namespace fbt::tasks::probing
