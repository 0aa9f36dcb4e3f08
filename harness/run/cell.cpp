#include "harness/run/cell.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "base/random.h"
#include "base/sha256.h"
#include "harness/run/judge.h"

namespace fbt::run {
namespace {

// New tokens where neither the user nor the task says how many (lm-eval's default).
constexpr int kDefaultNewTokens = 256;

std::vector<Mode> modes_of(const RunOptions& options, const ModelFacts& model) {
  std::vector<Mode> modes = options.modes;
  if (modes.empty()) {
    modes = {Mode::kStandard};
    if (model.has_feedback) modes.insert(modes.end(), {Mode::kSoft, Mode::kFused});
  }
  for (const Mode mode : modes) {
    if (needs_feedback(mode) && !model.has_feedback) {
      throw InputError(
          fmt::format("--mode {}: {} has no feedback weights (model.feedback.*); use --mode "
                      "standard",
                      mode_name(mode), options.checkpoint));
    }
  }
  return modes;
}

std::vector<int> feedback_steps_of(const RunOptions& options, Mode mode) {
  if (mode != Mode::kFused) return {0};
  if (options.feedback_sweep.empty()) return {options.feedback_steps};
  return options.feedback_sweep;
}

std::optional<tasks::ChatFormat> chat_of(const RunOptions& options, const ModelFacts& model) {
  const std::string& name = options.chat.empty() ? model.chat_format : options.chat;
  if (name.empty() || name == "none") return std::nullopt;
  return tasks::load_chat_format(name);
}

void set_sampling(results::Plan& plan, const tasks::Task& task, const RunOptions& options) {
  const tasks::SamplingDefaults& defaults = task.sampling();
  plan.samples = options.samples.value_or(defaults.samples);
  plan.temperatures = options.temperatures.value_or(defaults.temperatures);
  std::sort(plan.temperatures.begin(), plan.temperatures.end());
  plan.temperatures.erase(std::unique(plan.temperatures.begin(), plan.temperatures.end()),
                          plan.temperatures.end());
  for (const double temperature : plan.temperatures) {
    if (!(temperature >= 0)) {
      throw InputError(fmt::format("--temperatures {}: below zero", temperature));
    }
    if (temperature == 0 && plan.samples > 1) {
      throw InputError(
          fmt::format("{}: --samples {} at temperature 0 are {} equal answers; add --temperatures, "
                      "as 0.7",
                      task.name(), plan.samples, plan.samples));
    }
  }
  if (options.k) {
    plan.k = *options.k;
    for (const int k : plan.k) {
      if (k < 1 || k > plan.samples) {
        throw InputError(
            fmt::format("{}: --k {} needs 1 to {} (--samples); Pass@k takes at least "
                        "k samples",
                        task.name(), k, plan.samples));
      }
    }
  } else {
    for (const int k : defaults.k) {
      if (k <= plan.samples) plan.k.push_back(k);
    }
  }
}

// The groups that this task is inside.
std::vector<results::TaskGroup> groups_with(const std::string& task,
                                            const std::vector<tasks::Group>& groups) {
  std::vector<results::TaskGroup> found;
  for (const tasks::Group& group : groups) {
    if (std::find(group.tasks.begin(), group.tasks.end(), task) == group.tasks.end()) continue;
    found.push_back(recorded_group(group));
  }
  return found;
}

}  // namespace

results::TaskGroup recorded_group(const tasks::Group& group) {
  using Mean = results::TaskGroup::Mean;
  const bool plain = group.mean == tasks::Group::Mean::kPlain;
  return {group.name, group.members, plain ? Mean::kPlain : Mean::kSizeWeighted};
}

std::vector<Cell> plan_cells(const RunOptions& options, const tasks::Selection& selection,
                             const std::vector<tasks::Group>& registry_groups,
                             const ModelFacts& model) {
  const std::vector<Mode> modes = modes_of(options, model);
  const std::optional<tasks::ChatFormat> chat = chat_of(options, model);
  std::vector<Cell> cells;
  for (const std::shared_ptr<const tasks::Task>& task : selection.tasks) {
    const auto prompts = task->prompts({.shots = options.shots, .chat = chat});
    Cell cell{
        .task = task, .prompts = prompts, .chat = chat.has_value(), .plan = {}, .documents = {}};
    cell.documents_planned =
        std::min(options.limit.value_or(prompts->document_count()), prompts->document_count());
    for (int id = 0; id < cell.documents_planned; ++id) {
      if (options.shard.holds(id)) cell.documents.push_back(id);
    }

    results::Plan& plan = cell.plan;
    plan.task = task->name();
    plan.kind = cell.is_generation() ? "generation" : "log_likelihood";
    plan.shots = prompts->shots();
    if (cell.documents_planned < prompts->document_count()) plan.limit = cell.documents_planned;
    plan.dtype = options.dtype;
    plan.chat_format = chat ? chat->name : "";
    plan.batch_invariant = options.batch_invariant;
    plan.prompts_hash = prompts->hash();
    plan.data_hash = references_hash(*prompts, cell.documents_planned);
    plan.groups = groups_with(task->name(), registry_groups);
    if (cell.is_generation()) {
      set_sampling(plan, *task, options);
      plan.seed = options.seed;
      const tasks::Document first = prompts->document(0);
      plan.max_new_tokens = options.max_new_tokens.value_or(
          first.generation->max_new_tokens.value_or(kDefaultNewTokens));
      plan.other["stop"] = fmt::format("{}", first.generation->until);
    }
    plan.metrics = metrics_of(*task, plan.k, cell.chat);
    plan.primary_metric = primary_metric_of(*task, plan.metrics);

    for (const Mode mode : modes) {
      cell.mode = mode;
      cell.plan.mode = mode_name(mode);
      for (const int steps : feedback_steps_of(options, mode)) {
        cell.plan.feedback_steps = steps;
        cells.push_back(cell);
      }
    }
  }
  return cells;
}

std::string references_hash(const tasks::PromptSet& prompts, int documents) {
  Sha256 hash;
  for (int id = 0; id < documents; ++id) {
    const tasks::Document document = prompts.document(id);
    hash.update(target_text(document.target));
    const tasks::Reference& reference = document.reference;
    for (const std::string* field : {&reference.gold, &reference.prompt, &reference.entry_point,
                                     &reference.test, &reference.test_setup_code}) {
      hash.update(*field);
      hash.update(std::string_view("\0", 1));
    }
    for (const std::string& test : reference.test_list) hash.update(test);
  }
  return hash.hex();
}

std::uint64_t sample_key(std::uint64_t seed, const std::string& task, int document, Mode mode,
                         double temperature, int sample) {
  return stable_hash(
      fmt::format("{}|{}|{}|{}|{}|{}", seed, task, document, mode_name(mode), temperature, sample));
}

}  // namespace fbt::run
