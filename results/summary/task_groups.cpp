#include "results/summary/task_groups.h"

#include <algorithm>

namespace fbt::results {

MeanScore group_mean(std::span<const MeanScore> parts, TaskGroup::Mean mean) {
  return mean == TaskGroup::Mean::kSizeWeighted ? size_weighted_mean(parts) : plain_mean(parts);
}

Estimate group_estimate(const MeanScore& score, TaskGroup::Mean mean, double level) {
  const Interval interval = normal_interval(score.value, score.standard_error, level);
  return {score.value,
          {std::max(0.0, interval.low), std::min(1.0, interval.high)},
          score.standard_error,
          mean == TaskGroup::Mean::kSizeWeighted ? "clustered by task" : "normal"};
}

const TaskGroup* TaskGroups::find(const std::string& name) const {
  const auto found = std::find_if(groups_.begin(), groups_.end(),
                                  [&](const TaskGroup& group) { return group.name == name; });
  return found == groups_.end() ? nullptr : &*found;
}

bool TaskGroups::holds(const TaskGroup& group, const std::string& name) const {
  return std::any_of(group.members.begin(), group.members.end(), [&](const std::string& member) {
    if (member == name) return true;
    const TaskGroup* inner = find(member);
    return inner != nullptr && holds(*inner, name);
  });
}

void TaskGroups::add(std::span<const TaskGroup> groups) {
  for (const TaskGroup& group : groups) {
    if (find(group.name) == nullptr && !holds(group, group.name)) groups_.push_back(group);
  }
}

std::vector<std::string> TaskGroups::tasks_in(const TaskGroup& group) const {
  std::vector<std::string> tasks;
  const auto add_once = [&](const std::string& task) {
    if (std::find(tasks.begin(), tasks.end(), task) == tasks.end()) tasks.push_back(task);
  };
  for (const std::string& member : group.members) {
    if (const TaskGroup* inner = find(member)) {
      for (const std::string& task : tasks_in(*inner)) add_once(task);
    } else {
      add_once(member);
    }
  }
  return tasks;
}

std::optional<std::vector<MeanScore>> TaskGroups::parts(const TaskGroup& group,
                                                        const Lookup& task) const {
  const bool weighted = group.mean == TaskGroup::Mean::kSizeWeighted;
  std::vector<MeanScore> parts;
  for (const std::string& member : weighted ? tasks_in(group) : group.members) {
    const TaskGroup* inner = find(member);
    const std::optional<MeanScore> score = inner != nullptr ? mean(*inner, task) : task(member);
    if (!score) return std::nullopt;
    parts.push_back(*score);
  }
  if (parts.empty()) return std::nullopt;
  return parts;
}

std::optional<MeanScore> TaskGroups::mean(const TaskGroup& group, const Lookup& task) const {
  const auto scores = parts(group, task);
  if (!scores) return std::nullopt;
  return group_mean(*scores, group.mean);
}

}  // namespace fbt::results
