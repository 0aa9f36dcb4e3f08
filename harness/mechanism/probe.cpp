#include "harness/mechanism/probe.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
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

// Throws InputError where the folds or a condition do not fit the samples:
// before anything is computed.
void check(const ProbeSamples& samples, const ProbeSettings& settings) {
  const CrossValidationOptions& validation = settings.validation;
  const int largest_fold = (samples.groups + validation.folds - 1) / validation.folds;
  if (samples.groups < validation.folds || samples.groups - largest_fold < validation.inner_folds) {
    throw InputError(
        fmt::format("probe task '{}': {} groups are too few for {} folds and {} inner ones; give "
                    "more --groups",
                    samples.task, samples.groups, validation.folds, validation.inner_folds));
  }
  const auto shortest =
      std::min_element(samples.tokens.begin(), samples.tokens.end(),
                       [](const auto& a, const auto& b) { return a.size() < b.size(); });
  for (const ProbeCondition& condition : settings.conditions) {
    if (condition.prefill.suffix < static_cast<int>(shortest->size())) continue;
    throw InputError(fmt::format(
        "probe task '{}': a text has {} tokens, too few for --suffix {}; give a shorter suffix",
        samples.task, shortest->size(), condition.prefill.suffix));
  }
}

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

// What is to be extracted: `files` of some of the settings' conditions, by index.
struct Extraction {
  std::vector<std::size_t> conditions;
  std::vector<FeatureFile> files;

  // The file of a condition that still lacks the sample at `begin`, or null.
  FeatureFile* lacking(std::size_t condition, std::size_t begin) {
    const auto found = std::find(conditions.begin(), conditions.end(), condition);
    if (found == conditions.end()) return nullptr;
    FeatureFile& file = files[static_cast<std::size_t>(found - conditions.begin())];
    return file.rows() > begin ? nullptr : &file;
  }
};

// Goes on where an earlier extraction stopped. Conditions at the same sample go
// on together, for what their passes have in common. All suffixes are computed
// in any case, for little: where they cut the plain pass decides how it rounds,
// and the parts of a run are to have what the whole run has.
void extract(const ProbeSamples& samples, std::span<const ProbeCondition> conditions,
             PassStream& stream, const Experiment& experiment, Extraction& extraction) {
  const std::span<const std::vector<int>> tokens = samples.tokens;
  for (;;) {
    std::size_t begin = tokens.size();
    for (const FeatureFile& file : extraction.files) begin = std::min(begin, file.rows());
    if (begin == tokens.size()) return;
    const std::size_t end = std::min(begin + kTogether, tokens.size());
    std::vector<PrefillCondition> asked;
    std::vector<FeatureFile*> targets;
    for (std::size_t c = 0; c < conditions.size(); ++c) {
      FeatureFile* const file = extraction.lacking(c, begin);
      if (file == nullptr && conditions[c].prefill.suffix == 0) continue;
      asked.push_back(conditions[c].prefill);
      targets.push_back(file);
    }
    const std::vector<std::vector<float>> residuals =
        stream.last_residuals(tokens.subspan(begin, end - begin), asked);
    for (std::size_t c = 0; c < targets.size(); ++c) {
      if (targets[c] != nullptr) targets[c]->append(residuals[c]);
    }
    experiment.stop_if_interrupted();
  }
}

std::vector<ProbeScore> fit_layers(const ProbeSamples& samples, const FeatureFile& features,
                                   std::size_t layers, std::size_t columns, int threads,
                                   const CrossValidationOptions& options) {
  std::vector<ProbeScore> scores(layers);
  tbb::task_arena arena(threads > 0 ? threads : tbb::task_arena::automatic);
  arena.execute([&] {
    tbb::parallel_for(std::size_t{0}, layers, [&](std::size_t layer) {
      const std::vector<float> values = features.layer(layer);
      scores[layer] = fit_probe({values, columns}, samples.labels, options);
    });
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

// The `items` of one task that are still to be done, by index.
void run_task(const ProbeSettings& settings, const results::Checkpoint& checkpoint,
              const ProbeSamples& samples, std::span<const std::size_t> items,
              Experiment& experiment, PassStream& stream) {
  const auto layers = static_cast<std::size_t>(stream.layers()) + 1;
  const auto columns = static_cast<std::size_t>(stream.hidden_size());
  Extraction extraction;
  for (const std::size_t item : items) {
    const std::size_t condition = item % settings.conditions.size();
    const std::string name = samples.task + "/" + settings.conditions[condition].name;
    extraction.conditions.push_back(condition);
    extraction.files.emplace_back(feature_path(settings, checkpoint, name), layers, columns,
                                  kTogether);
  }
  extract(samples, settings.conditions, stream, experiment, extraction);
  for (std::size_t c = 0; c < items.size(); ++c) {
    experiment.stop_if_interrupted();
    const ProbeUnit unit{samples.task,
                         settings.conditions[extraction.conditions[c]].name,
                         static_cast<int>(samples.tokens.size()),
                         samples.groups,
                         chance_level(samples.labels),
                         samples.padded_tokens,
                         fit_layers(samples, extraction.files[c], layers, columns, settings.threads,
                                    settings.validation)};
    experiment.record(items[c], unit_json(unit));
    extraction.files[c].remove();
  }
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
    check(samples.back(), settings);
    for (const std::string& condition : result.conditions) items.push_back(task + "/" + condition);
  }
  if (samples.empty()) {
    throw InputError(
        fmt::format("no probe task fits the context of {} tokens", stream.context_length()));
  }
  const std::size_t conditions = settings.conditions.size();
  Experiment experiment(settings.record, checkpoint, "probe", settings_json(settings), items);
  const std::vector<std::size_t> missing = experiment.missing();
  for (auto begin = missing.begin(); begin != missing.end();) {
    const std::size_t task = *begin / conditions;
    const auto end = std::find_if(begin, missing.end(),
                                  [&](std::size_t item) { return item / conditions != task; });
    run_task(settings, checkpoint, samples[task], {begin, end}, experiment, stream);
    begin = end;
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
