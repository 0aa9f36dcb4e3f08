// fbt-eval [run]: evaluates a checkpoint. The default command.

#include <cstdio>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <nlohmann/json.hpp>

#include "base/json_lines.h"
#include "harness/cli/checkpoint_record.h"
#include "harness/cli/command.h"
#include "harness/cli/demo_checkpoint.h"
#include "harness/cli/engine_options.h"
#include "harness/cli/experiment_options.h"
#include "harness/cli/number_check.h"
#include "harness/decode/torch_backend.h"
#include "harness/model/checkpoint.h"
#include "harness/run/execute.h"
#include "harness/run/progress.h"
#include "results/store/store.h"
#include "results/summary/summary.h"

namespace fbt::cli {
namespace {

// As typed; lists and names are checked when the command runs.
struct Arguments {
  run::RunOptions run;
  std::string modes;
  RecordArguments record;
  std::string format = "table";
  bool subjects = false;
  bool grid = false;
  bool profile = false;
};

void add_options(CLI::App& command, Arguments& arguments) {
  run::RunOptions& run = arguments.run;
  const auto list = [](CLI::Option* option) { option->delimiter(','); };

  const char* what = "What to evaluate";
  command
      .add_option("--checkpoint", run.checkpoint, "Checkpoint folder, demo, or random:CONFIG.json")
      ->capture_default_str()
      ->group(what);
  list(command
           .add_option("--tasks", run.tasks,
                       "Tasks, groups (lm-eval-10, free-generation, mmlu) "
                       "or definition files; see fbt-eval tasks list")
           ->required()
           ->group(what));
  command
      .add_option("--mode", arguments.modes,
                  "standard, soft, fused (default: all the checkpoint can do)")
      ->group(what);
  command
      .add_option("--data", run.data,
                  "Folder of the data sets, or samples (default: samples for the "
                  "demo checkpoint, else $FBT_DATA or the user's data folder)")
      ->group(what);
  command.add_option("--shots", run.shots, "Few-shot examples (default: the task's own)")
      ->check(non_negative_number())
      ->group(what);
  command.add_option("--limit", run.limit, "First documents of each task only")
      ->check(positive_number())
      ->group(what);
  command.add_option("--chat", run.chat, "Chat format, or none (default: the checkpoint's own)")
      ->group(what);

  const char* sampling = "Decoding";
  command
      .add_option("--feedback-steps", run.feedback_steps,
                  "Fused passes over the prompt in mode fused")
      ->check(non_negative_number())
      ->capture_default_str()
      ->group(sampling);
  command
      .add_option("--samples", run.samples,
                  "Completions per document and temperature (default: the task's own)")
      ->check(positive_number())
      ->group(sampling);
  list(command
           .add_option("--temperatures", run.temperatures,
                       "Temperatures, searched per mode (default: the task's own)")
           ->group(sampling));
  list(command.add_option("--k", run.k, "Pass@k for these k (default: the task's own)")
           ->group(sampling));
  command
      .add_option("--max-new-tokens", run.max_new_tokens,
                  "Longest completion (default: the task's own, or 256)")
      ->check(positive_number())
      ->group(sampling);
  command.add_option("--seed", run.seed, "Of all sampling")->capture_default_str()->group(sampling);

  const char* machine = "Machine";
  command.add_option("--dtype", run.dtype, "float32, float32-fast or bfloat16")
      ->capture_default_str()
      ->group(machine);
  command.add_option("--device", run.device, kDeviceHelp)->capture_default_str()->group(machine);
  command
      .add_option("--threads", run.threads,
                  "Of the model (default: all cores, or most where programs run)")
      ->check(non_negative_number())
      ->group(machine);
  command.add_option("--batch-tokens", run.batch_tokens, "Tokens of one prefill pass")
      ->check(positive_number())
      ->capture_default_str()
      ->group(machine);
  command.add_option("--batch-rows", run.batch_rows, "Completions that decode together")
      ->check(positive_number())
      ->capture_default_str()
      ->group(machine);
  command
      .add_option("--cache-gb", run.cache_gb,
                  "Key/value cache (default: a share of the free memory)")
      ->check(non_negative_number())
      ->group(machine);
  command
      .add_flag("--batch-invariant", run.batch_invariant,
                "The same bits whatever runs beside a row (CPU; slower)")
      ->group(machine);
  command.add_option("--tokenizer", run.tokenizer, "tokenizer.json in place of the checkpoint's")
      ->group(machine);
  command
      .add_flag("--unsafe-code", run.unsafe_code,
                "Run programs even where this machine cannot contain them")
      ->group(machine);

  add_record_options(command, arguments.record);
  add_format_option(command, arguments.format);
  command.add_flag("--subjects", arguments.subjects, "A row per subject too")
      ->group(kResultOptions);
  command.add_flag("--grid", arguments.grid, "A row per temperature too")->group(kResultOptions);
  command
      .add_flag("--profile", arguments.profile,
                "Print where time went (json has it always, under \"work\")")
      ->group(kResultOptions);
}

TorchBackendOptions backend_options(const run::RunOptions& run, int threads) {
  return {.checkpoint = resolve_checkpoint(run.checkpoint),
          .weight_seed = run.weight_seed,
          .tokenizer = run.tokenizer,
          .dtype = parse_dtype(run.dtype),
          .device = run.device,
          .threads = threads,
          .batch_tokens = run.batch_tokens,
          .batch_rows = run.batch_rows,
          .cache_gb = run.cache_gb,
          .batch_invariant = run.batch_invariant};
}

nlohmann::json work_json(const run::Outcome& outcome) {
  const BackendCounters& counters = outcome.counters;
  nlohmann::json seconds = nlohmann::json::object();
  for (const auto& [stage, spent] : outcome.profile) seconds[stage] = spent;
  return {{"answers", outcome.answers},
          {"restored", outcome.restored},
          {"prompt_tokens_asked", counters.prompt_tokens_asked},
          {"prompt_tokens_computed", counters.prompt_tokens_computed},
          {"generated_tokens", counters.generated_tokens},
          {"cache_bytes_peak", counters.cache_bytes_peak},
          {"cache_bytes_budget", counters.cache_bytes_budget},
          {"seconds", outcome.seconds},
          {"profile", seconds}};
}

// The results with what the session took beside them.
std::string json_output(const results::Summary& summary, const run::Outcome& outcome) {
  nlohmann::json object = nlohmann::json::parse(results::summary_json(summary));
  object["work"] = work_json(outcome);
  return dump_json(object) + "\n";
}

void print_results(const Arguments& arguments, const run::Outcome& outcome) {
  const results::Store store(arguments.run.database, results::OpenMode::kRead);
  const results::Summary summary = results::summarize(store, outcome.runs);
  const std::string text =
      arguments.format == "json"
          ? json_output(summary, outcome)
          : results::render(results::summary_table(summary, {.subjects = arguments.subjects,
                                                             .temperatures = arguments.grid}),
                            results::table_format_from_name(arguments.format));
  std::fputs(text.c_str(), stdout);
}

void report_work(const run::RunOptions& options, const run::Outcome& outcome) {
  if (outcome.restored > 0) {
    spdlog::info("{} of {} answers were in {} already", outcome.restored, outcome.answers,
                 options.database.string());
  }
  const BackendCounters& counters = outcome.counters;
  if (outcome.seconds > 0) {
    spdlog::info(
        "prompt tokens: {} asked for, {} computed ({:.0f} % shared); {} generated; {:.1f} s",
        counters.prompt_tokens_asked, counters.prompt_tokens_computed,
        100 * run::cached_share(counters), counters.generated_tokens, outcome.seconds);
    spdlog::info("key/value cache: at most {:.2f} of {:.2f} GB",
                 static_cast<double>(counters.cache_bytes_peak) / 1e9,
                 static_cast<double>(counters.cache_bytes_budget) / 1e9);
  }
}

void run_command(Arguments& arguments) {
  run::RunOptions& options = arguments.run;
  if (!arguments.modes.empty()) options.modes = parse_modes(arguments.modes);
  options.database = arguments.record.database;
  options.shard = run::parse_shard(arguments.record.shard);
  options.fresh = arguments.record.fresh;
  parse_dtype(options.dtype);

  const Checkpoint checkpoint =
      open_checkpoint(resolve_checkpoint(options.checkpoint), options.weight_seed);
  const run::Subject subject{.checkpoint = checkpoint_record(checkpoint),
                             .model = {.has_feedback = checkpoint.has_feedback(),
                                       .chat_format = checkpoint.facts.chat_format},
                             .make_backend = [&options](int threads) {
                               return make_torch_backend(backend_options(options, threads));
                             }};
  const run::Outcome outcome = run::execute(options, subject);
  report_work(options, outcome);
  if (arguments.profile) std::fputs(run::profile_text(outcome.profile).c_str(), stderr);
  print_results(arguments, outcome);
}

}  // namespace

void add_run_command(CLI::App& app, ExitStatus&) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("run", "Evaluate a checkpoint (the default command)");
  add_options(*command, *arguments);
  command->callback([arguments] { run_command(*arguments); });
}

}  // namespace fbt::cli
