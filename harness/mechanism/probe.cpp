#include "harness/mechanism/probe.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <tbb/parallel_for.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json_lines.h"
#include "base/sha256.h"
#include "harness/mechanism/feature_file.h"
#include "harness/mechanism/probe_samples.h"

namespace fbt::mechanism {
namespace {

using nlohmann::json;

// Samples that are extracted between two writes.
constexpr std::size_t kTogether = 64;

json settings_json(const ProbeSettings& settings) {
  return {{"idle_updates", settings.idle_updates},
          {"groups", settings.groups},
          {"register_values", settings.register_values},
          {"seed", settings.seed},
          {"folds", settings.validation.folds},
          {"inner_folds", settings.validation.inner_folds},
          {"strengths", settings.validation.strengths},
          {"dtype", settings.dtype}};
}

std::filesystem::path feature_path(const ProbeSettings& settings,
                                   const results::Checkpoint& checkpoint, const std::string& item) {
  const std::string key =
      sha256_hex(checkpoint.content_hash + dump_json(settings_json(settings)) + item);
  return settings.record.database.string() + ".features/" + key.substr(0, 16) + ".f32";
}

// Goes on where an earlier extraction stopped.
void extract(const ProbeSamples& samples, const PrefillCondition& prefill, PassStream& stream,
             const Experiment& experiment, FeatureFile& features) {
  const std::span<const std::vector<int>> tokens = samples.tokens;
  while (features.rows() < tokens.size()) {
    const std::size_t begin = features.rows();
    const std::size_t count = std::min(kTogether, tokens.size() - begin);
    features.append(stream.last_residuals(tokens.subspan(begin, count), prefill));
    experiment.stop_if_interrupted();
  }
}

std::vector<ProbeScore> fit_layers(const ProbeSamples& samples, const FeatureFile& features,
                                   std::size_t layers, std::size_t columns,
                                   const CrossValidationOptions& options) {
  std::vector<ProbeScore> scores(layers);
  tbb::parallel_for(std::size_t{0}, layers, [&](std::size_t layer) {
    const std::vector<float> values = features.layer(layer);
    scores[layer] = fit_probe({values, columns}, samples.labels, options);
  });
  return scores;
}

json unit_json(const ProbeUnit& unit) {
  json layers = json::array();
  for (const ProbeScore& score : unit.layers) layers.push_back(to_json(score));
  return {{"task", unit.task},       {"condition", unit.condition},
          {"samples", unit.samples}, {"groups", unit.groups},
          {"chance", unit.chance},   {"padded_tokens", unit.padded_tokens},
          {"layers", layers}};
}

ProbeUnit unit_from_json(const json& value) {
  ProbeUnit unit{value.at("task"),
                 value.at("condition"),
                 value.at("samples"),
                 value.at("groups"),
                 value.at("chance"),
                 value.at("padded_tokens"),
                 {}};
  for (const json& layer : value.at("layers")) unit.layers.push_back(probe_score_from_json(layer));
  return unit;
}

ProbeUnit run_unit(const ProbeSettings& settings, const results::Checkpoint& checkpoint,
                   const ProbeSamples& samples, const ProbeCondition& condition,
                   const Experiment& experiment, PassStream& stream) {
  const auto layers = static_cast<std::size_t>(stream.layers()) + 1;
  const auto columns = static_cast<std::size_t>(stream.hidden_size());
  FeatureFile features(feature_path(settings, checkpoint, samples.task + "/" + condition.name),
                       layers, columns);
  extract(samples, condition.prefill, stream, experiment, features);
  ProbeUnit unit{samples.task,
                 condition.name,
                 static_cast<int>(samples.tokens.size()),
                 samples.groups,
                 chance_level(samples.labels),
                 samples.padded_tokens,
                 fit_layers(samples, features, layers, columns, settings.validation)};
  features.remove();
  return unit;
}

}  // namespace

std::vector<ProbeCondition> probe_conditions(const std::vector<int>& feedback_steps,
                                             const std::vector<int>& suffixes, bool has_feedback) {
  std::vector<ProbeCondition> conditions = {{"standard", {}}};
  const auto check = [](int number, const char* option) {
    if (number < 1) throw InputError(fmt::format("{} {}; give 1 or more", option, number));
  };
  for (const int steps : feedback_steps) {
    check(steps, "--feedback-steps");
    if (has_feedback) conditions.push_back({fmt::format("fused-{}", steps), {steps, 0}});
  }
  for (const int suffix : suffixes) {
    check(suffix, "--suffix");
    if (has_feedback) conditions.push_back({fmt::format("suffix-{}", suffix), {0, suffix}});
  }
  return conditions;
}

ProbeResult run_probe(const ProbeSettings& settings, const results::Checkpoint& checkpoint,
                      PassStream& stream) {
  ProbeResult result;
  result.checkpoint = checkpoint.name;
  result.tasks = settings.tasks.empty() ? probe_tasks() : settings.tasks;
  for (const ProbeCondition& condition : settings.conditions) {
    result.conditions.push_back(condition.name);
  }
  if (!stream.has_feedback()) {
    result.notes.push_back("the checkpoint has no feedback weights: standard condition only");
  }

  std::vector<ProbeSamples> samples;
  std::vector<std::string> items;
  for (const std::string& task : result.tasks) {
    samples.push_back(probe_samples(task, settings, stream, result.notes));
    if (samples.back().tokens.empty()) {
      samples.pop_back();
      continue;
    }
    for (const std::string& condition : result.conditions) items.push_back(task + "/" + condition);
  }
  if (samples.empty()) {
    throw InputError(
        fmt::format("no probe task fits the context of {} tokens", stream.context_length()));
  }
  const std::size_t conditions = settings.conditions.size();
  Experiment experiment(settings.record, checkpoint, "probe", settings_json(settings), items);
  for (const std::size_t item : experiment.missing()) {
    experiment.stop_if_interrupted();
    const ProbeUnit unit = run_unit(settings, checkpoint, samples[item / conditions],
                                    settings.conditions[item % conditions], experiment, stream);
    experiment.record(item, unit_json(unit));
  }
  for (const auto& [index, value] : experiment.results()) {
    result.units.push_back(unit_from_json(value));
  }
  if (result.units.size() < items.size()) {
    result.notes.push_back(fmt::format("{} of {} cells; join the shards with fbt-eval merge",
                                       result.units.size(), items.size()));
  }
  return result;
}

nlohmann::json probe_json(const ProbeResult& result) {
  json units = json::array();
  for (const ProbeUnit& unit : result.units) units.push_back(unit_json(unit));
  return {{"schema", 1},
          {"experiment", "probe"},
          {"checkpoint", result.checkpoint},
          {"conditions", result.conditions},
          {"notes", result.notes},
          {"units", units}};
}

}  // namespace fbt::mechanism
