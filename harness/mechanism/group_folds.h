#pragma once

// Folds of a cross-validation that never split a group.

#include <cstdint>
#include <span>
#include <vector>

namespace fbt::mechanism {

// The fold (0 … folds - 1) of every sample: the groups in a random order of
// `seed`, dealt out one after the other. Throws InputError for fewer than two
// folds or fewer groups than folds.
std::vector<int> group_folds(std::span<const int> groups, int folds, std::uint64_t seed);

// The labels in a random order of `seed` within each group: nothing that
// features say of labels survives, the groups keep their balance.
std::vector<int> shuffle_within_groups(std::span<const int> labels, std::span<const int> groups,
                                       std::uint64_t seed);

}  // namespace fbt::mechanism
