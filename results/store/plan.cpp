#include "results/store/plan.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json_lines.h"
#include "base/sha256.h"
#include "base/utf8.h"

namespace fbt::results {
namespace {

using nlohmann::json;

json plan_json(const Plan& plan) {
  json metrics = json::array();
  for (const Metric& metric : plan.metrics) {
    metrics.push_back({{"name", metric.name}, {"definition", metric.definition}});
  }
  json groups = json::array();
  for (const TaskGroup& group : plan.groups) {
    groups.push_back(
        {{"name", group.name}, {"members", group.members}, {"mean", group_mean_name(group.mean)}});
  }
  return {{"task", plan.task},
          {"mode", plan.mode},
          {"kind", plan.kind},
          {"shots", plan.shots},
          {"limit", plan.limit ? json(*plan.limit) : json(nullptr)},
          {"feedback_steps", plan.feedback_steps},
          {"temperatures", plan.temperatures},
          {"samples", plan.samples},
          {"k", plan.k},
          {"max_new_tokens", plan.max_new_tokens},
          {"seed", plan.seed},
          {"dtype", plan.dtype},
          {"chat_format", plan.chat_format},
          {"batch_invariant", plan.batch_invariant},
          {"prompts_hash", plan.prompts_hash},
          {"data_hash", plan.data_hash},
          {"metrics", metrics},
          {"primary_metric", plan.primary_metric},
          {"groups", groups},
          {"other", plan.other}};
}

template <typename T>
void read(const json& object, const char* key, std::string_view where, T& value) {
  const auto found = object.find(key);
  if (found == object.end()) throw InputError(fmt::format("{}: '{}' is missing", where, key));
  try {
    value = found->get<T>();
  } catch (const json::exception&) {
    throw InputError(fmt::format("{}: '{}' is of a wrong type", where, key));
  }
}

TaskGroup::Mean group_mean_from_name(std::string_view name, std::string_view where) {
  for (const auto mean : {TaskGroup::Mean::kPlain, TaskGroup::Mean::kSizeWeighted}) {
    if (name == group_mean_name(mean)) return mean;
  }
  throw InputError(fmt::format("{}: group mean '{}' is not known", where, name));
}

// Settings in which runs put side by side may differ.
constexpr std::array<std::string_view, 11> kFree = {
    "mode",  "feedback_steps", "temperatures", "samples",        "k", "max_new_tokens", "seed",
    "dtype", "groups",         "other",        "batch_invariant"};

std::string setting_text(const json& value) {
  if (value.is_null()) return "none";
  const std::string text = value.is_string() ? value.get<std::string>() : dump_json(value);
  return text.empty() ? "none" : text;
}

// Hashes and metric definitions are long; their start tells them apart.
std::string shown(const json& value) {
  const std::string text = setting_text(value);
  constexpr std::size_t kLongest = 40;
  if (text.size() <= kLongest) return text;
  return text.substr(0, complete_utf8_prefix(text.substr(0, kLongest))) + "…";
}

// The entries of a list that the other lacks: two long lists often start alike.
// Plain values are shown whole.
json distinct(const json& value, const json& other) {
  if (!value.is_array() || !other.is_array()) return value;
  json entries = json::array();
  for (const json& entry : value) {
    if (!entry.is_object()) return value;
    if (std::find(other.begin(), other.end(), entry) == other.end()) entries.push_back(entry);
  }
  return entries;
}

}  // namespace

std::string_view group_mean_name(TaskGroup::Mean mean) {
  return mean == TaskGroup::Mean::kPlain ? "plain" : "size_weighted";
}

std::string plan_to_json(const Plan& plan) {
  return dump_json(plan_json(plan));
}

Plan plan_from_json(std::string_view text, std::string_view where) {
  const json object = parse_json(text, where);
  if (!object.is_object()) throw InputError(fmt::format("{} is not a JSON object", where));
  Plan plan;
  read(object, "task", where, plan.task);
  read(object, "mode", where, plan.mode);
  read(object, "kind", where, plan.kind);
  read(object, "shots", where, plan.shots);
  json limit;
  read(object, "limit", where, limit);
  if (limit.is_number_integer()) plan.limit = limit.get<int>();
  read(object, "feedback_steps", where, plan.feedback_steps);
  read(object, "temperatures", where, plan.temperatures);
  read(object, "samples", where, plan.samples);
  read(object, "k", where, plan.k);
  read(object, "max_new_tokens", where, plan.max_new_tokens);
  read(object, "seed", where, plan.seed);
  read(object, "dtype", where, plan.dtype);
  read(object, "chat_format", where, plan.chat_format);
  read(object, "batch_invariant", where, plan.batch_invariant);
  read(object, "prompts_hash", where, plan.prompts_hash);
  read(object, "data_hash", where, plan.data_hash);
  std::vector<json> metrics;
  read(object, "metrics", where, metrics);
  for (const json& entry : metrics) {
    Metric& metric = plan.metrics.emplace_back();
    read(entry, "name", where, metric.name);
    read(entry, "definition", where, metric.definition);
  }
  read(object, "primary_metric", where, plan.primary_metric);
  std::vector<json> groups;
  read(object, "groups", where, groups);
  for (const json& entry : groups) {
    TaskGroup& group = plan.groups.emplace_back();
    read(entry, "name", where, group.name);
    // Files of schema 3 and older know groups of tasks with a plain mean only.
    if (entry.contains("tasks")) {
      read(entry, "tasks", where, group.members);
      continue;
    }
    read(entry, "members", where, group.members);
    std::string mean;
    read(entry, "mean", where, mean);
    group.mean = group_mean_from_name(mean, where);
  }
  read(object, "other", where, plan.other);
  return plan;
}

std::string plan_hash(const Plan& plan) {
  return sha256_hex(plan_to_json(plan));
}

std::string mode_label(const Plan& plan) {
  if (plan.mode != "fused" || plan.feedback_steps == 1) return plan.mode;
  return fmt::format("{}-{}", plan.mode, plan.feedback_steps);
}

std::string plan_setting(const Plan& plan, const std::string& key) {
  return setting_text(plan_json(plan).at(key));
}

void require_plan_setting(const std::string& key) {
  const json settings = plan_json({});
  if (settings.contains(key)) return;
  std::vector<std::string> keys;
  for (const auto& [known, value] : settings.items()) keys.push_back(known);
  throw InputError(unknown_name_message("setting", key, keys));
}

std::vector<std::string> plan_differences(const Plan& a, const Plan& b, bool only_comparable) {
  const json left = plan_json(a);
  const json right = plan_json(b);
  std::vector<std::string> differences;
  for (const auto& [key, value] : left.items()) {
    if (value == right.at(key)) continue;
    if (only_comparable && std::find(kFree.begin(), kFree.end(), key) != kFree.end()) continue;
    const json& other = right.at(key);
    differences.push_back(fmt::format("{} ({} and {})", key, shown(distinct(value, other)),
                                      shown(distinct(other, value))));
  }
  return differences;
}

}  // namespace fbt::results
