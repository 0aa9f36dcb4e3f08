#include "harness/mechanism/group_folds.h"

#include <map>

#include <fmt/format.h>

#include "base/error.h"
#include "tasks/synthetic/draw.h"

namespace fbt::mechanism {
namespace {

// Samples by group, in the order of the groups' numbers.
std::map<int, std::vector<std::size_t>> members_of(std::span<const int> groups) {
  std::map<int, std::vector<std::size_t>> members;
  for (std::size_t i = 0; i < groups.size(); ++i) members[groups[i]].push_back(i);
  return members;
}

}  // namespace

std::vector<int> group_folds(std::span<const int> groups, int folds, std::uint64_t seed) {
  const auto members = members_of(groups);
  if (folds < 2 || members.size() < static_cast<std::size_t>(folds)) {
    throw InputError(
        fmt::format("{} folds over {} groups; give at least two folds and a group for each", folds,
                    members.size()));
  }
  std::vector<int> order;
  for (const auto& [group, samples] : members) order.push_back(group);
  synthetic::Draw(seed).shuffle(order);
  std::vector<int> fold_of(groups.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const std::size_t sample : members.at(order[i])) {
      fold_of[sample] = static_cast<int>(i) % folds;
    }
  }
  return fold_of;
}

std::vector<int> shuffle_within_groups(std::span<const int> labels, std::span<const int> groups,
                                       std::uint64_t seed) {
  synthetic::Draw draw(seed);
  std::vector<int> shuffled(labels.size());
  for (const auto& [group, samples] : members_of(groups)) {
    std::vector<int> own;
    for (const std::size_t sample : samples) own.push_back(labels[sample]);
    draw.shuffle(own);
    for (std::size_t i = 0; i < samples.size(); ++i) shuffled[samples[i]] = own[i];
  }
  return shuffled;
}

}  // namespace fbt::mechanism
