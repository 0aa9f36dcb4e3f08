#include "base/json_lines.h"
#include "results/statistics/json.h"
#include "results/store/json.h"
#include "results/summary/summary.h"

namespace fbt::results {
namespace {

using nlohmann::json;

using Metrics = std::vector<std::pair<std::string, MeanScore>>;

json by_metric(const Metrics& metrics, double MeanScore::*figure) {
  json object = json::object();
  for (const auto& [name, score] : metrics) object[name] = score.*figure;
  return object;
}

json row_json(const SummaryRow& row) {
  const Plan& plan = row.run.plan;
  json grid = json::array();
  for (const TemperatureScore& at : row.grid) {
    grid.push_back({{"temperature", at.temperature},
                    {"score", estimate_json(at.primary)},
                    {"chosen_share", at.chosen_share},
                    {"metrics", by_metric(at.metrics, &MeanScore::value)},
                    {"standard_errors", by_metric(at.metrics, &MeanScore::standard_error)}});
  }
  json subjects = json::array();
  for (const SubjectScore& subject : row.subjects) {
    subjects.push_back({{"subject", subject.subject},
                        {"documents", subject.documents},
                        {"score", estimate_json(subject.score)}});
  }
  return {{"checkpoint", checkpoint_json(row.run.checkpoint)},
          {"task", plan.task},
          {"mode", row.mode},
          {"shots", plan.shots},
          {"metric", plan.primary_metric},
          {"score", estimate_json(row.score)},
          {"metrics", by_metric(row.metrics, &MeanScore::value)},
          {"standard_errors", by_metric(row.metrics, &MeanScore::standard_error)},
          {"temperature", optional_json(row.temperature)},
          {"split_half", row.split_half ? estimate_json(*row.split_half) : json(nullptr)},
          {"grid", grid},
          {"subjects", subjects},
          {"documents", row.run.documents_done},
          {"documents_planned", row.run.documents_planned},
          {"complete", row.complete()},
          {"median_trace_length", optional_json(row.median_trace)},
          {"median_reasoning_length", optional_json(row.median_reasoning)},
          {"generated_tokens", row.generated_tokens},
          {"cut_prompts", row.cut_prompts},
          {"undecided", row.undecided}};
}

}  // namespace

std::string summary_json(const Summary& summary) {
  json rows = json::array();
  for (const SummaryRow& row : summary.rows) rows.push_back(row_json(row));
  json groups = json::array();
  for (const GroupRow& group : summary.groups) {
    groups.push_back({{"checkpoint", group.checkpoint},
                      {"group", group.group},
                      {"mean", group_mean_name(group.mean)},
                      {"mode", group.mode},
                      {"metric", group.metric},
                      {"shots", group.shots ? json(*group.shots) : json(nullptr)},
                      {"members", group.members},
                      {"tasks", group.tasks.size()},
                      {"documents", group.documents},
                      {"cut_prompts", group.cut_prompts},
                      {"score", estimate_json(group.score)},
                      {"pooled_standard_error", optional_json(group.pooled_standard_error)}});
  }
  return dump_json({{"schema", 1}, {"results", rows}, {"groups", groups}});
}

}  // namespace fbt::results
