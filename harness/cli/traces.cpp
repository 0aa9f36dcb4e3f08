// fbt-eval traces: how long the answers of stored runs are.

#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "harness/cli/command.h"
#include "harness/cli/experiment_options.h"
#include "harness/cli/selection_flags.h"
#include "harness/mechanism/traces.h"

namespace fbt::cli {
namespace {

struct Arguments {
  SelectionFlags selection;
  std::string temperature = "best";
  std::vector<std::string> change;  // before, after
  std::string format = "table";
};

void run_command(const Arguments& arguments) {
  const std::vector<results::Store> stores = arguments.selection.open();
  const std::vector<results::RunData> runs =
      results::select_runs(stores, arguments.selection.options());
  mechanism::TraceOptions options;
  options.temperature = results::temperature_choice_from_text(arguments.temperature);
  if (!arguments.change.empty()) {
    options.before = results::find_checkpoint(runs, arguments.change[0]);
    options.after = results::find_checkpoint(runs, arguments.change[1]);
  }
  const mechanism::TraceResult result = mechanism::trace_lengths(runs, options);
  if (result.rows.empty()) {
    throw InputError(
        "traces: the chosen runs have no generated answers; run a generation task, "
        "as fbt-eval run --tasks gsm8k");
  }
  print_result(trace_tables(result), trace_json(result), arguments.format);
}

}  // namespace

void add_traces_command(CLI::App& app, ExitStatus&) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand(
      "traces", "Trace and reasoning lengths of stored runs by task and mode, and how they change");
  arguments->selection.add_to(*command);
  command->add_option("--temperature", arguments->temperature,
                      "Where a grid was sampled: best, split-half or a number (best)");
  command
      ->add_option("--change", arguments->change,
                   "BEFORE,AFTER: two checkpoints, as before and after tuning")
      ->delimiter(',')
      ->expected(2);
  add_format_option(*command, arguments->format);
  command->callback([arguments] { run_command(*arguments); });
}

}  // namespace fbt::cli
