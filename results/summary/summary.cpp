#include "results/summary/summary.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "results/statistics/split_half.h"
#include "results/summary/task_groups.h"

namespace fbt::results {
namespace {

std::vector<std::pair<std::string, MeanScore>> metric_means(const RunData& data, std::size_t t) {
  std::vector<std::pair<std::string, MeanScore>> means;
  for (const Metric& metric : data.run.plan.metrics) {
    const auto found = data.values.find(metric.name);
    if (found == data.values.end()) continue;
    means.emplace_back(metric.name, mean_score(found->second[t], data.subjects));
  }
  return means;
}

std::vector<SubjectScore> subject_scores(const RunData& data, std::span<const double> scores) {
  if (!has_clusters(data.subjects)) return {};
  std::map<std::string, std::vector<double>> by_subject;
  for (std::size_t d = 0; d < scores.size(); ++d) {
    by_subject[data.subjects[d]].push_back(scores[d]);
  }
  std::vector<SubjectScore> result;
  for (const auto& [subject, values] : by_subject) {
    result.push_back({subject, static_cast<int>(values.size()), estimate_score(values, {})});
  }
  return result;
}

void add_grid(const RunData& data, SummaryRow& row) {
  std::vector<double> chosen(1, 1.0);
  if (data.temperatures.size() > 1) {
    const SplitHalf honest = split_half(data.primary());
    row.split_half = estimate_score(honest.per_document, data.subjects);
    chosen = honest.chosen;
  }
  for (std::size_t t = 0; t < data.temperatures.size(); ++t) {
    row.grid.push_back({data.temperatures[t], estimate_score(data.primary()[t], data.subjects),
                        chosen[t], metric_means(data, t)});
  }
}

void add_samples(const RunData& data, std::size_t best, SummaryRow& row) {
  if (data.run.plan.kind != "generation") return;
  std::vector<double> trace;
  std::vector<double> reasoning;
  for (std::size_t t = 0; t < data.samples.size(); ++t) {
    for (const SampleOutcome& sample : data.samples[t]) {
      row.generated_tokens += sample.trace_length;
      row.undecided += sample.verdict == Verdict::kUndecided ? 1 : 0;
      if (t != best) continue;
      trace.push_back(sample.trace_length);
      reasoning.push_back(sample.reasoning_length);
    }
  }
  if (trace.empty()) return;
  row.median_trace = median(std::move(trace));
  row.median_reasoning = median(std::move(reasoning));
}

// The row of a group's task in the checkpoint and mode of `like`: with its
// shots, or else the only one.
const SummaryRow* member(const std::vector<SummaryRow>& rows, const SummaryRow& like,
                         const std::string& task) {
  const SummaryRow* found = nullptr;
  for (const SummaryRow& row : rows) {
    if (row.run.plan.task != task || row.mode != like.mode ||
        row.run.checkpoint.content_hash != like.run.checkpoint.content_hash) {
      continue;
    }
    if (row.run.plan.shots == like.run.plan.shots) return &row;
    if (found != nullptr) return nullptr;
    found = &row;
  }
  return found;
}

// The group's mean in the checkpoint and mode of `like`, or nothing where a
// task is missing or incomplete.
std::optional<GroupRow> group_row(const std::vector<SummaryRow>& rows, const SummaryRow& like,
                                  const TaskGroups& groups, const TaskGroup& group) {
  GroupRow result;
  result.tasks = groups.tasks_in(group);
  std::map<std::string, MeanScore> scores;
  std::set<std::string> metrics;
  std::set<int> shots;
  for (const std::string& task : result.tasks) {
    const SummaryRow* row = member(rows, like, task);
    if (row == nullptr || !row->complete()) return std::nullopt;
    scores[task] = {row->score.value, row->score.standard_error, row->run.documents_done};
    metrics.insert(row->run.plan.primary_metric);
    shots.insert(row->run.plan.shots);
    result.cut_prompts += row->cut_prompts;
  }
  if (result.tasks.size() < 2) return std::nullopt;
  const auto parts = groups.parts(group, [&](const std::string& task) { return scores.at(task); });
  const MeanScore score = group_mean(*parts, group.mean);
  result.checkpoint = like.run.checkpoint.name;
  result.group = group.name;
  result.mean = group.mean;
  result.members = static_cast<int>(group.members.size());
  result.mode = like.mode;
  result.metric = metrics.size() == 1 ? *metrics.begin() : "mean";
  if (shots.size() == 1) result.shots = *shots.begin();
  result.documents = score.documents;
  result.score = group_estimate(score, group.mean);
  if (group.mean == TaskGroup::Mean::kSizeWeighted) {
    result.pooled_standard_error = pooled_standard_error(*parts);
  }
  return result;
}

std::vector<GroupRow> group_rows(const std::vector<SummaryRow>& rows) {
  TaskGroups groups;
  for (const SummaryRow& row : rows) groups.add(row.run.plan.groups);
  std::vector<GroupRow> result;
  for (const TaskGroup& group : groups.all()) {
    std::set<std::tuple<std::string, std::string, int>> tried;
    for (const SummaryRow& row : rows) {
      const Plan& plan = row.run.plan;
      const bool inside = std::any_of(plan.groups.begin(), plan.groups.end(),
                                      [&](const auto& other) { return other.name == group.name; });
      if (!inside || !tried.emplace(row.run.checkpoint.content_hash, row.mode, plan.shots).second) {
        continue;
      }
      auto made = group_row(rows, row, groups, group);
      const bool seen = made && std::any_of(result.begin(), result.end(), [&](const auto& other) {
                          return other.group == made->group &&
                                 other.checkpoint == made->checkpoint && other.mode == made->mode &&
                                 other.shots == made->shots;
                        });
      if (made && !seen) result.push_back(std::move(*made));
    }
  }
  return result;
}

}  // namespace

SummaryRow summarize_run(const RunData& data) {
  SummaryRow row;
  row.run = data.run;
  row.mode = mode_label(data.run.plan);
  row.cut_prompts = data.cut_prompts;
  const std::size_t best = best_temperature(data.primary());
  if (data.temperatures.size() > 1) row.temperature = data.temperatures[best];
  add_grid(data, row);
  row.score = row.grid[best].primary;
  row.metrics = row.grid[best].metrics;
  row.subjects = subject_scores(data, data.primary()[best]);
  add_samples(data, best, row);
  return row;
}

Summary summarize(std::span<const RunData> runs) {
  Summary summary;
  for (const RunData& data : runs) summary.rows.push_back(summarize_run(data));
  summary.groups = group_rows(summary.rows);
  return summary;
}

Summary summarize(const Store& store, std::span<const RunId> runs) {
  std::vector<RunData> loaded;
  for (const RunId id : runs) loaded.push_back(load_run(store, store.run(id)));
  return summarize(loaded);
}

}  // namespace fbt::results
