#include "results/report/section/style.h"

#include <algorithm>

#include <fmt/format.h>

namespace fbt::results {

int mode_style(const ReportData& data, const std::string& mode) {
  if (mode == "standard") return 0;
  if (mode == "soft") return 1;
  if (mode == "fused") return 2;
  std::vector<std::string> others;
  for (const RunData& run : data.runs) {
    const std::string label = mode_label(run.run.plan);
    if (label.starts_with("fused-")) others.push_back(label);
  }
  std::sort(others.begin(), others.end());
  others.erase(std::unique(others.begin(), others.end()), others.end());
  const auto place = std::find(others.begin(), others.end(), mode) - others.begin();
  return 3 + static_cast<int>(place % 4);
}

std::string checkpoint_label(const ReportData& data, const Checkpoint& checkpoint) {
  const auto shares_name = [&](const Checkpoint& other) {
    return other.name == checkpoint.name && other.content_hash != checkpoint.content_hash;
  };
  const bool shared = std::any_of(data.runs.begin(), data.runs.end(), [&](const RunData& run) {
    return shares_name(run.run.checkpoint);
  });
  return shared ? fmt::format("{} ({})", checkpoint.name, checkpoint.content_hash.substr(0, 8))
                : checkpoint.name;
}

bool is_part_of_group(const ReportData& data, const std::string& task) {
  const auto counts_as_part = [&](const TaskGroup& group) {
    return group.mean == TaskGroup::Mean::kSizeWeighted &&
           std::find(group.members.begin(), group.members.end(), task) != group.members.end();
  };
  return std::any_of(data.runs.begin(), data.runs.end(), [&](const RunData& run) {
    const auto& groups = run.run.plan.groups;
    return run.run.plan.task == task && std::any_of(groups.begin(), groups.end(), counts_as_part);
  });
}

std::string figure_id(std::string_view kind, std::size_t number) {
  return fmt::format("figure-{}-{}", kind, number);
}

std::string percent_with_interval(double value, const Interval& interval) {
  return fmt::format("{} [{}, {}]", percent(value, 1), percent(interval.low, 1),
                     percent(interval.high, 1));
}

}  // namespace fbt::results
