#include "base/json_lines.h"
#include "results/statistics/json.h"
#include "results/store/json.h"
#include "results/summary/summary.h"

namespace fbt::results {
namespace {

using nlohmann::json;

json metrics_json(const std::vector<std::pair<std::string, double>>& metrics) {
  json object = json::object();
  for (const auto& [name, value] : metrics) object[name] = value;
  return object;
}

json row_json(const SummaryRow& row) {
  const Plan& plan = row.run.plan;
  json grid = json::array();
  for (const TemperatureScore& at : row.grid) {
    grid.push_back({{"temperature", at.temperature},
                    {"score", estimate_json(at.primary)},
                    {"chosen_share", at.chosen_share},
                    {"metrics", metrics_json(at.metrics)}});
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
          {"metrics", metrics_json(row.metrics)},
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
                      {"mode", group.mode},
                      {"shots", group.shots ? json(*group.shots) : json(nullptr)},
                      {"tasks", group.tasks},
                      {"score", estimate_json(group.score)}});
  }
  return dump_json({{"schema", 1}, {"results", rows}, {"groups", groups}});
}

}  // namespace fbt::results
