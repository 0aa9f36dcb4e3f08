#include "results/gate/policy.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json_lines.h"
#include "base/json_object.h"

namespace fbt::results {
namespace {

constexpr int kSchema = 1;

// The number at `key`, within [least, most].
double number_within(JsonObject& object, const std::string& key, double least, double most) {
  const double value = object.number(key);
  if (!(value >= least && value <= most)) {
    object.fail(key, fmt::format("is {}; give a number from {} to {}", value, least, most));
  }
  return value;
}

// Absent: `fallback`; null: none.
std::optional<double> limit(JsonObject& object, const std::string& key, double most,
                            const std::optional<double>& fallback) {
  if (object.is_null(key)) return std::nullopt;
  return object.has(key) ? std::optional(number_within(object, key, 0, most)) : fallback;
}

GateLimits read_limits(JsonObject& object, const GateLimits& fallback) {
  constexpr double kMostGrowth = 100;
  return {
      .floor = limit(object, "floor", 1, fallback.floor),
      .margin = limit(object, "margin", 1, fallback.margin),
      .max_trace_growth = limit(object, "max_trace_growth", kMostGrowth, fallback.max_trace_growth),
      .min_documents = object.integer("min_documents", fallback.min_documents)};
}

GateRule read_rule(JsonObject& object, const GateLimits& defaults) {
  GateRule rule;
  rule.task = object.text("task");
  rule.modes = object.texts("modes", {});
  rule.metric = object.text("metric", "");
  rule.baseline_mode = object.text("baseline_mode", "");
  rule.limits = read_limits(object, defaults);
  object.finish();
  return rule;
}

TemperatureChoice read_temperature(JsonObject& object) {
  if (!object.has("temperature")) return {};
  const JsonObject::Json& value = object.value("temperature");
  if (value.is_number() && value.get<double>() >= 0) {
    return {TemperatureChoice::Kind::kFixed, value.get<double>()};
  }
  if (value == "best") return {TemperatureChoice::Kind::kBest, 0};
  if (value == "split-half") return {TemperatureChoice::Kind::kSplitHalf, 0};
  object.fail("temperature", "must be \"best\", \"split-half\" or a number");
}

// Whether "scope" is "all".
bool read_scope(JsonObject& object) {
  const std::string scope = object.text("scope", "all");
  if (scope != "all" && scope != "listed") {
    object.fail("scope", fmt::format("is '{}'; give \"all\" or \"listed\"", scope));
  }
  return scope == "all";
}

void require_schema(JsonObject& object) {
  const int schema = object.integer("schema");
  if (schema != kSchema) {
    object.fail("schema", fmt::format("is {}; this program knows {}", schema, kSchema));
  }
}

}  // namespace

const GateRule* GatePolicy::rule_for(const std::string& task, const std::string& mode) const {
  const auto found = std::find_if(rules.begin(), rules.end(), [&](const GateRule& rule) {
    return rule.task == task &&
           (rule.modes.empty() ||
            std::find(rule.modes.begin(), rule.modes.end(), mode) != rule.modes.end());
  });
  return found == rules.end() ? nullptr : &*found;
}

GatePolicy parse_policy(std::string_view text, const std::string& where) {
  const nlohmann::ordered_json value = parse_ordered_json(text, where);
  JsonObject object(value, where);
  require_schema(object);
  GatePolicy policy;
  policy.name = where;
  if (object.has("level")) policy.level = number_within(object, "level", 0.0001, 0.5);
  if (object.has("power")) policy.power = number_within(object, "power", 0.5, 0.9999);
  policy.temperature = read_temperature(object);
  policy.all_of_baseline = read_scope(object);
  if (object.has("max_undecided")) {
    policy.max_undecided = number_within(object, "max_undecided", 0, 1);
  }
  if (object.has("defaults")) {
    JsonObject defaults = object.object("defaults");
    policy.defaults = read_limits(defaults, {});
    defaults.finish();
  }
  if (object.has("tasks")) {
    for (JsonObject& rule : object.objects("tasks")) {
      policy.rules.push_back(read_rule(rule, policy.defaults));
    }
  }
  object.finish();
  if (!policy.all_of_baseline && policy.rules.empty()) {
    object.fail("tasks", "lists none, and \"scope\" is \"listed\": nothing would be gated");
  }
  return policy;
}

GatePolicy read_policy(const std::filesystem::path& file) {
  return parse_policy(read_file(file), file.string());
}

GatePolicy default_policy() {
  return parse_policy(default_policy_json(), "default");
}

}  // namespace fbt::results
