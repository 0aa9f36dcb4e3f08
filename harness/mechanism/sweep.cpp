#include "harness/mechanism/sweep.h"

#include <algorithm>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include "base/error.h"
#include "results/summary/task_groups.h"

namespace fbt::mechanism {
namespace {

using results::MeanScore;
using results::RunData;
using results::TaskGroup;
using results::TaskGroups;

// values[n]: per document after n steps, the same documents at every step.
using StepValues = std::vector<std::vector<double>>;

// Documents that every step has done.
std::vector<std::int64_t> common_documents(const std::vector<const RunData*>& steps) {
  std::vector<std::int64_t> common = steps.front()->doc_ids;
  for (const RunData* run : steps) {
    std::vector<std::int64_t> both;
    std::set_intersection(common.begin(), common.end(), run->doc_ids.begin(), run->doc_ids.end(),
                          std::back_inserter(both));
    common = std::move(both);
  }
  return common;
}

std::vector<double> values_of(const RunData& run, const std::vector<std::int64_t>& documents) {
  const std::vector<double>& all = run.primary().front();
  std::vector<double> values;
  std::size_t at = 0;
  for (const std::int64_t id : documents) {
    while (run.doc_ids[at] != id) ++at;
    values.push_back(all[at]);
  }
  return values;
}

std::map<std::string, StepValues> values_by_task(int steps, std::span<const RunData> runs) {
  std::map<std::string, std::vector<const RunData*>> by_task;
  for (const RunData& run : runs) {
    const results::Plan& plan = run.run.plan;
    if (plan.mode != "fused" || plan.feedback_steps > steps) continue;
    auto& own = by_task[plan.task];
    own.resize(static_cast<std::size_t>(steps) + 1);
    own[static_cast<std::size_t>(plan.feedback_steps)] = &run;
  }
  std::map<std::string, StepValues> values;
  for (const auto& [task, own] : by_task) {
    const auto missing = std::find(own.begin(), own.end(), nullptr);
    if (missing != own.end()) {
      throw InputError(fmt::format("{}: {} feedback steps are missing from the sweep", task,
                                   missing - own.begin()));
    }
    const std::vector<std::int64_t> documents = common_documents(own);
    if (documents.empty()) continue;
    for (const RunData* run : own) values[task].push_back(values_of(*run, documents));
  }
  return values;
}

std::vector<double> minus(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> difference(a);
  for (std::size_t i = 0; i < b.size(); ++i) difference[i] -= b[i];
  return difference;
}

StepDifference step_difference(const results::PairedComparison& comparison) {
  return {comparison.difference, comparison.interval, comparison.p, comparison.p};
}

// Exact tests for single tasks and losses.
StepDifference test(const std::vector<double>& earlier, const std::vector<double>& later) {
  return step_difference(results::compare_paired(earlier, later, {}));
}

SweepCurve curve_of(const std::string& name, const StepValues& values) {
  SweepCurve curve;
  curve.name = name;
  curve.documents = static_cast<int>(values.front().size());
  for (std::size_t n = 0; n < values.size(); ++n) {
    const MeanScore score = results::mean_score(values[n], {});
    curve.values.push_back(score.value);
    curve.standard_errors.push_back(score.standard_error);
    if (n == 0) continue;
    curve.to_previous.push_back(test(values[n - 1], values[n]));
    curve.to_zero.push_back(test(values[0], values[n]));
  }
  return curve;
}

// A group's mean over what `of_task` makes of each task's steps.
template <typename OfTask>
std::optional<MeanScore> mean_of(const TaskGroup& group, const TaskGroups& groups,
                                 const std::map<std::string, StepValues>& values,
                                 const OfTask& of_task) {
  return groups.mean(group, [&](const std::string& task) {
    const auto own = values.find(task);
    return own == values.end() ? std::optional<MeanScore>()
                               : results::mean_score(of_task(own->second), {});
  });
}

std::optional<SweepCurve> group_curve(const TaskGroup& group, const TaskGroups& groups,
                                      const std::map<std::string, StepValues>& values, int steps) {
  SweepCurve curve;
  curve.name = group.name;
  for (std::size_t n = 0; n <= static_cast<std::size_t>(steps); ++n) {
    const auto score =
        mean_of(group, groups, values, [&](const StepValues& own) { return own[n]; });
    if (!score) return std::nullopt;
    curve.documents = score->documents;
    curve.values.push_back(score->value);
    curve.standard_errors.push_back(score->standard_error);
    if (n == 0) continue;
    const auto against = [&](std::size_t earlier) {
      const MeanScore difference = *mean_of(group, groups, values, [&](const StepValues& own) {
        return minus(own[n], own[earlier]);
      });
      return step_difference(results::compare_normal(difference.value, difference.standard_error,
                                                     static_cast<std::size_t>(difference.documents),
                                                     "z"));
    };
    curve.to_previous.push_back(against(n - 1));
    curve.to_zero.push_back(against(0));
  }
  return curve;
}

SweepCurve loss_curve(const StabilityResult& loss) {
  StepValues values(loss.loss.size());
  for (const WindowCurve& window : loss.windows) {
    for (std::size_t n = 0; n < values.size(); ++n) values[n].push_back(window.loss[n]);
  }
  SweepCurve curve = curve_of("validation loss (" + loss.source + ")", values);
  curve.is_loss = true;
  return curve;
}

void adjust(SweepResult& result, std::vector<StepDifference> SweepCurve::*differences) {
  std::vector<double> p_values;
  for (const SweepCurve& curve : result.curves) {
    for (const StepDifference& one : curve.*differences) p_values.push_back(one.p);
  }
  const std::vector<double> adjusted = results::holm(p_values);
  std::size_t next = 0;
  for (SweepCurve& curve : result.curves) {
    for (StepDifference& one : curve.*differences) one.p_adjusted = adjusted[next++];
  }
}

}  // namespace

SweepResult summarize_sweep(const std::string& checkpoint, int steps, std::span<const RunData> runs,
                            std::span<const TaskGroup> groups,
                            const std::optional<StabilityResult>& loss) {
  SweepResult result;
  result.checkpoint = checkpoint;
  result.steps = steps;
  if (loss && !loss->windows.empty()) result.curves.push_back(loss_curve(*loss));
  const std::map<std::string, StepValues> values = values_by_task(steps, runs);
  TaskGroups named;
  named.add(groups);
  std::set<std::string> stood_for;
  for (const TaskGroup& group : named.all()) {
    auto curve = group_curve(group, named, values, steps);
    if (!curve) continue;
    result.curves.push_back(std::move(*curve));
    if (group.mean != TaskGroup::Mean::kSizeWeighted) continue;
    for (const std::string& task : named.tasks_in(group)) stood_for.insert(task);
  }
  for (const auto& [task, own] : values) {
    if (!stood_for.contains(task)) result.curves.push_back(curve_of(task, own));
  }
  adjust(result, &SweepCurve::to_previous);
  adjust(result, &SweepCurve::to_zero);
  return result;
}

}  // namespace fbt::mechanism
