#include "harness/mechanism/group_folds.h"

#include <algorithm>
#include <map>
#include <set>

#include <gmock/gmock.h>

#include "base/error.h"

namespace fbt::mechanism {
namespace {

std::vector<int> groups_of(int groups, int size) {
  std::vector<int> result;
  for (int i = 0; i < groups * size; ++i) result.push_back((i * 7) % groups);
  return result;
}

TEST(GroupFolds, KeepGroupsWholeAndSizesEven) {
  const std::vector<int> groups = groups_of(18, 5);
  const std::vector<int> folds = group_folds(groups, 4, 3);
  std::map<int, std::set<int>> folds_of_group;
  std::map<int, int> samples_of_fold;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    folds_of_group[groups[i]].insert(folds[i]);
    ++samples_of_fold[folds[i]];
  }
  for (const auto& [group, own] : folds_of_group) EXPECT_EQ(own.size(), 1U) << group;
  EXPECT_EQ(samples_of_fold, (std::map<int, int>{{0, 25}, {1, 25}, {2, 20}, {3, 20}}));
  EXPECT_NE(group_folds(groups, 4, 4), folds);
  EXPECT_EQ(group_folds(groups, 4, 3), folds);
}

TEST(GroupFolds, RefusesTooFewGroups) {
  const std::vector<int> groups = {1, 1, 2, 2, 3};
  EXPECT_THROW(group_folds(groups, 4, 1), InputError);
  EXPECT_THROW(group_folds(groups, 1, 1), InputError);
}

TEST(ShuffleWithinGroups, KeepsEachGroupsLabels) {
  const std::vector<int> groups = groups_of(6, 20);
  std::vector<int> labels;
  for (std::size_t i = 0; i < groups.size(); ++i) labels.push_back(static_cast<int>(i % 5 < 2));
  const std::vector<int> shuffled = shuffle_within_groups(labels, groups, 11);
  std::map<int, int> before;
  std::map<int, int> after;
  int moved = 0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    before[groups[i]] += labels[i];
    after[groups[i]] += shuffled[i];
    moved += labels[i] != shuffled[i];
  }
  EXPECT_EQ(before, after);
  EXPECT_GT(moved, 30);
}

}  // namespace
}  // namespace fbt::mechanism
