// fbt-eval sweep: task scores and validation loss against feedback steps.

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>

#include <nlohmann/json.hpp>

#include "harness/cli/checkpoint_record.h"
#include "harness/cli/command.h"
#include "harness/cli/model_experiment.h"
#include "harness/cli/number_check.h"
#include "harness/mechanism/sweep.h"
#include "harness/run/execute.h"
#include "results/compare/matched_budget.h"

namespace fbt::cli {
namespace {

struct Arguments {
  EngineArguments engine;
  TextArguments text;
  RecordArguments record;
  std::vector<std::string> tasks;
  std::optional<int> shots;
  std::optional<int> limit;
  int steps = 3;
  std::string format = "table";
};

run::RunOptions run_options(const Arguments& arguments) {
  const TorchBackendOptions& engine = arguments.engine.options;
  const mechanism::RecordOptions record = record_options(arguments.record);
  run::RunOptions options;
  options.checkpoint = engine.checkpoint;
  options.data = arguments.text.data;
  options.tasks = arguments.tasks;
  options.modes = {Mode::kFused};
  options.feedback_sweep.resize(static_cast<std::size_t>(arguments.steps) + 1);
  std::iota(options.feedback_sweep.begin(), options.feedback_sweep.end(), 0);
  options.shots = arguments.shots;
  options.limit = arguments.limit;
  options.dtype = arguments.engine.dtype;
  options.device = engine.device;
  options.threads = engine.threads;
  options.batch_invariant = engine.batch_invariant;
  options.database = record.database;
  options.shard = record.shard;
  options.fresh = record.fresh;
  return options;
}

std::optional<mechanism::StabilityResult> measure_loss(const Arguments& arguments,
                                                       const results::Checkpoint& record) {
  if (arguments.text.file.empty() && arguments.text.task.empty()) return std::nullopt;
  const auto stream = make_pass_stream(engine_options(arguments.engine));
  const mechanism::TextWindows text =
      read_windows(arguments.text, arguments.engine.options.checkpoint, *stream);
  mechanism::StabilityOptions options;
  options.steps = arguments.steps;
  options.dtype = arguments.engine.dtype;
  options.record = record_options(arguments.record);
  return mechanism::run_stability(options, record, text, *stream);
}

// The groups that were asked for and, over several names, the mean of all.
std::vector<results::TaskGroup> groups_of(const Arguments& arguments,
                                          const run::RunOptions& options) {
  tasks::Registry registry;
  const tasks::Selection selection =
      registry.resolve(arguments.tasks, tasks::DataSource(run::data_folder_for(options)));
  std::vector<results::TaskGroup> groups;
  for (const tasks::Group& group : selection.groups) groups.push_back(run::recorded_group(group));
  if (arguments.tasks.size() < 2) return groups;
  results::TaskGroup mean{"mean of these", {}};
  for (const std::string& name : arguments.tasks) {
    const bool is_group = std::any_of(groups.begin(), groups.end(),
                                      [&](const auto& group) { return group.name == name; });
    // Aliases and definition files stand for the names of their tasks.
    const auto members = is_group ? std::vector{name} : registry.expand({name});
    mean.members.insert(mean.members.end(), members.begin(), members.end());
  }
  groups.push_back(std::move(mean));
  return groups;
}

// The sweep's task runs, all shards' documents.
std::vector<results::RunData> run_tasks(const Arguments& arguments, const Checkpoint& checkpoint,
                                        const results::Checkpoint& record,
                                        const run::RunOptions& options) {
  if (arguments.tasks.empty()) return {};
  const run::Subject subject{.checkpoint = record,
                             .model = {.has_feedback = checkpoint.has_feedback(),
                                       .chat_format = checkpoint.facts.chat_format},
                             .make_backend = [&](int threads) {
                               TorchBackendOptions engine = engine_options(arguments.engine);
                               engine.threads = threads;
                               engine.lean_cache_passes = arguments.steps + 1;
                               return make_torch_backend(engine);
                             }};
  const run::Outcome outcome = run::execute(options, subject);
  const results::Store store(options.database, results::OpenMode::kRead);
  std::vector<results::RunData> runs;
  for (const results::RunId id : outcome.runs) runs.push_back(load_run(store, store.run(id)));
  return runs;
}

std::vector<results::MatchedPair> matched_runs(const std::string& database) {
  const results::Store store(database, results::OpenMode::kRead);
  std::vector<results::RunData> runs;
  for (const results::RunRecord& run : store.runs()) runs.push_back(load_run(store, run));
  return results::matched_budget(runs);
}

void run_command(const Arguments& arguments) {
  if (arguments.tasks.empty() && arguments.text.file.empty() && arguments.text.task.empty()) {
    throw InputError("sweep: nothing to measure; give --tasks, --text or --text-task");
  }
  const Checkpoint checkpoint = open_for(arguments.engine);
  require_feedback(checkpoint, "sweep");
  const results::Checkpoint record = checkpoint_record(checkpoint);
  const run::RunOptions options = run_options(arguments);
  // First, so that a wrong task name is told before anything is computed.
  const std::vector<results::TaskGroup> groups =
      arguments.tasks.empty() ? std::vector<results::TaskGroup>{} : groups_of(arguments, options);
  const auto loss = measure_loss(arguments, record);
  const std::vector<results::RunData> runs = run_tasks(arguments, checkpoint, record, options);
  const mechanism::SweepResult result =
      mechanism::summarize_sweep(record.name, arguments.steps, runs, groups, loss);
  const std::vector<results::MatchedPair> pairs = matched_runs(arguments.record.database);

  std::vector<results::Table> tables = sweep_tables(result);
  if (!pairs.empty()) tables.push_back(results::matched_budget_table(pairs));
  nlohmann::json json = sweep_json(result);
  json["matched_budget"] = results::matched_budget_json(pairs);
  print_result(tables, json, arguments.format);
}

}  // namespace

void add_sweep_command(CLI::App& app, ExitStatus&) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand(
      "sweep", "Task scores and validation loss against feedback steps, with paired tests");
  add_engine_options(*command, arguments->engine);
  command
      ->add_option("--tasks", arguments->tasks,
                   "Multiple-choice tasks and groups, as lm-eval-10; see fbt-eval tasks list")
      ->delimiter(',');
  command->add_option("--shots", arguments->shots, "Few-shot examples (default: the task's own)")
      ->check(non_negative_number());
  command->add_option("--limit", arguments->limit, "First documents of each task only")
      ->check(positive_number());
  command->add_option("--data", arguments->text.data, "Folder of the data sets, or samples");
  command->add_option("--steps", arguments->steps, "Feedback steps: 0 to this many")
      ->check(number_between(1, 1000))
      ->capture_default_str();
  add_text_options(*command, arguments->text);
  add_record_options(*command, arguments->record);
  add_format_option(*command, arguments->format);
  command->callback([arguments] { run_command(*arguments); });
}

}  // namespace fbt::cli
