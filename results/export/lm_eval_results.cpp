#include "results/export/lm_eval_results.h"

#include <ctime>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_lines.h"
#include "base/version.h"
#include "results/statistics/group_mean.h"
#include "results/summary/summary.h"

namespace fbt::results {
namespace {

using nlohmann::json;

constexpr const char* kFlexible = "exact_match_flexible";

bool has_metric(const Plan& plan, const std::string& name) {
  for (const Metric& metric : plan.metrics) {
    if (metric.name == name) return true;
  }
  return false;
}

// lm-eval's filter: how the answer was taken out of the completion.
std::pair<std::string, std::string> metric_and_filter(const Plan& plan, const std::string& metric) {
  if (metric == kFlexible) return {"exact_match", "flexible-extract"};
  if (metric == "exact_match" && has_metric(plan, kFlexible)) return {metric, "strict-match"};
  return {metric, "none"};
}

json task_results(const RunData& data) {
  const Plan& plan = data.run.plan;
  json object = {{"alias", plan.task}};
  const std::size_t best = choose_scores(data, {}).temperature_index;
  for (const Metric& metric : plan.metrics) {
    const auto found = data.values.find(metric.name);
    if (found == data.values.end()) continue;
    const MeanScore score = mean_score(found->second[best], data.subjects);
    object[lm_eval_key(plan, metric.name)] = score.value;
    object[lm_eval_key(plan, metric.name, true)] = score.standard_error;
    if (data.temperatures.size() < 2) continue;
    const std::string name = metric_and_filter(plan, metric.name).first;
    for (std::size_t t = 0; t < data.temperatures.size(); ++t) {
      const MeanScore at = mean_score(found->second[t], data.subjects);
      object[fmt::format("{},temperature-{}", name, data.temperatures[t])] = at.value;
      object[fmt::format("{}_stderr,temperature-{}", name, data.temperatures[t])] =
          at.standard_error;
    }
  }
  return object;
}

// Each metric once, whatever its filters.
json higher_is_better(const Plan& plan) {
  json object = json::object();
  for (const Metric& metric : plan.metrics) {
    object[metric_and_filter(plan, metric.name).first] = true;
  }
  return object;
}

json task_config(const RunData& data) {
  const Plan& plan = data.run.plan;
  const bool generates = plan.kind == "generation";
  json metrics = json::array();
  const json names = higher_is_better(plan);
  for (const auto& [name, higher] : names.items()) {
    metrics.push_back({{"metric", name}, {"aggregation", "mean"}, {"higher_is_better", higher}});
  }
  json config = {{"task", plan.task},
                 {"output_type", generates ? "generate_until" : "multiple_choice"},
                 {"num_fewshot", plan.shots},
                 {"metric_list", metrics},
                 {"repeats", plan.samples},
                 {"metadata", {{"plan", parse_json(plan_to_json(plan), "plan")}}}};
  if (generates) {
    const std::size_t best = choose_scores(data, {}).temperature_index;
    config["generation_kwargs"] = {{"max_gen_toks", plan.max_new_tokens},
                                   {"temperature", data.temperatures[best]},
                                   {"do_sample", data.temperatures[best] > 0}};
  }
  return config;
}

void add_groups(std::span<const RunData> runs, json& file) {
  const Summary summary = summarize(runs);
  for (const GroupRow& group : summary.groups) {
    const json result = {{"alias", group.group},
                         {group.metric + ",none", group.score.value},
                         {group.metric + "_stderr,none", group.score.standard_error}};
    file["results"][group.group] = result;
    file["groups"][group.group] = result;
    file["group_subtasks"][group.group] = group.tasks;
    file["higher_is_better"][group.group] = {{group.metric, true}};
    file["versions"][group.group] = "N/A";
  }
}

double unix_time(const std::string& date) {
  std::tm parts{};
  if (::strptime(date.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts) == nullptr) return 0;
  return static_cast<double>(::timegm(&parts));
}

// Settings of the whole model, from its first run.
json model_config(const RunData& data) {
  const RunRecord& run = data.run;
  return {{"model", "fbt-eval"},
          {"model_args",
           fmt::format("checkpoint={},mode={},feedback_steps={},dtype={}", run.checkpoint.name,
                       run.plan.mode, run.plan.feedback_steps, run.plan.dtype)},
          {"limit", run.plan.limit ? json(*run.plan.limit) : json(nullptr)},
          {"random_seed", run.plan.seed}};
}

}  // namespace

std::string lm_eval_model_name(const RunRecord& run) {
  const std::string mode = mode_label(run.plan);
  return mode == "standard" ? run.checkpoint.name : fmt::format("{}-{}", run.checkpoint.name, mode);
}

std::string lm_eval_folder_name(const std::string& model_name) {
  std::string name;
  for (const char c : model_name) {
    if (std::string_view("\"<>:/|\\?*[]").find(c) != std::string_view::npos ||
        static_cast<unsigned char>(c) < 0x20) {
      name += "__";
    } else {
      name += c;
    }
  }
  return name == "." || name == ".." || name.empty() ? "__" : name;
}

std::string lm_eval_key(const Plan& plan, const std::string& metric, bool standard_error) {
  const auto [name, filter] = metric_and_filter(plan, metric);
  return fmt::format("{}{},{}", name, standard_error ? "_stderr" : "", filter);
}

json lm_eval_results(std::span<const RunData> runs, const std::string& date) {
  const std::string model = lm_eval_model_name(runs.front().run);
  json file = {{"results", json::object()},
               {"groups", json::object()},
               {"group_subtasks", json::object()},
               {"configs", json::object()},
               {"versions", json::object()},
               {"n-shot", json::object()},
               {"higher_is_better", json::object()},
               {"n-samples", json::object()},
               {"config", model_config(runs.front())},
               {"git_hash", nullptr},
               {"date", unix_time(date)},
               {"model_source", "fbt-eval"},
               {"model_name", model},
               {"model_name_sanitized", lm_eval_folder_name(model)},
               {"fbt_eval_version", kVersion}};
  for (const RunData& data : runs) {
    const Plan& plan = data.run.plan;
    if (data.doc_ids.empty()) continue;
    file["results"][plan.task] = task_results(data);
    file["group_subtasks"][plan.task] = json::array();
    file["configs"][plan.task] = task_config(data);
    file["versions"][plan.task] = "N/A";
    file["n-shot"][plan.task] = plan.shots;
    file["higher_is_better"][plan.task] = higher_is_better(plan);
    file["n-samples"][plan.task] = {{"original", data.run.documents_planned},
                                    {"effective", data.doc_ids.size()}};
  }
  add_groups(runs, file);
  return file;
}

}  // namespace fbt::results
