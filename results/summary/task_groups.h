#pragma once

// The groups that plans name, and their means over the tasks of a run.

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "results/statistics/group_mean.h"
#include "results/statistics/interval.h"
#include "results/store/plan.h"

namespace fbt::results {

// Of the figures that make up a group; at least one.
MeanScore group_mean(std::span<const MeanScore> parts, TaskGroup::Mean mean);

// The group's mean with its normal interval, within [0, 1].
Estimate group_estimate(const MeanScore& score, TaskGroup::Mean mean, double level = 0.95);

class TaskGroups {
 public:
  // A task's figure; nothing where it is missing.
  using Lookup = std::function<std::optional<MeanScore>(const std::string& task)>;

  // Plans of several tasks define a group they share: the first definition stays.
  // A group that would hold itself is left out.
  void add(std::span<const TaskGroup> groups);

  // In the order in which they were added.
  const std::vector<TaskGroup>& all() const { return groups_; }

  // Every task inside, those of inner groups too, in order and each once.
  std::vector<std::string> tasks_in(const TaskGroup& group) const;

  // What a group's mean is made of: the figures of all tasks inside where it is
  // size-weighted, else of its members. Nothing where one is missing (a group is
  // never averaged over a part of itself).
  std::optional<std::vector<MeanScore>> parts(const TaskGroup& group, const Lookup& task) const;

  // group_mean() of parts().
  std::optional<MeanScore> mean(const TaskGroup& group, const Lookup& task) const;

 private:
  const TaskGroup* find(const std::string& name) const;
  bool holds(const TaskGroup& group, const std::string& name) const;

  std::vector<TaskGroup> groups_;
};

}  // namespace fbt::results
