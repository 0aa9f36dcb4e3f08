// fbt-eval regrade: scores stored runs again, without the model.

#include <iostream>
#include <memory>

#include <spdlog/spdlog.h>

#include "harness/cli/command.h"
#include "harness/cli/number_check.h"
#include "harness/run/regrade.h"
#include "harness/run/regrade_report.h"

namespace fbt::cli {
namespace {

struct Arguments {
  run::RegradeOptions options;
  std::string format = "table";
};

void print(const run::RegradeOutcome& outcome, results::TableFormat format) {
  std::cout << render(run::regrade_table(outcome), format);
  const results::Table examples = run::regrade_examples_table(outcome);
  if (!examples.rows.empty()) std::cout << '\n' << render(examples, format);
}

void regrade_command(const Arguments& arguments) {
  const bool json = arguments.format == "json";
  const auto format =
      json ? results::TableFormat::kTerminal : results::table_format_from_name(arguments.format);
  const run::RegradeOutcome outcome = run::regrade(arguments.options);
  if (outcome.choice_runs > 0) {
    spdlog::info("{} runs of multiple choice need no regrading", outcome.choice_runs);
  }
  if (json) {
    std::cout << run::regrade_json(outcome, arguments.options.dry_run) << '\n';
    return;
  }
  print(outcome, format);
  if (arguments.options.dry_run) spdlog::info("a dry run: nothing was written");
}

}  // namespace

void add_regrade_command(CLI::App& app, ExitStatus&) {
  auto arguments = std::make_shared<Arguments>();
  run::RegradeOptions& options = arguments->options;
  CLI::App* command = app.add_subcommand("regrade", "Score stored runs again, without the model");
  command->add_option("--db", options.database, "Results file")->capture_default_str();
  command
      ->add_option("--checkpoint", options.selection.checkpoints,
                   "Only these, by name or by the start of their hash")
      ->delimiter(',');
  command
      ->add_option("--tasks", options.selection.tasks,
                   "Only these tasks, groups or definition files")
      ->delimiter(',');
  command->add_option("--mode", options.selection.modes, "Only these modes")->delimiter(',');
  command->add_option("--data", options.data,
                      "Folder of the data sets, or samples (default: as the run's)");
  command->add_option("--tokenizer", options.tokenizer,
                      "For reasoning lengths (default: where the checkpoint lay)");
  command->add_option("--threads", options.threads, "That judge (default: all cores)")
      ->check(non_negative_number());
  command->add_flag("--dry-run", options.dry_run, "Tell what would change, write nothing");
  command->add_flag("--unsafe-code", options.unsafe_code,
                    "Run programs even where this machine cannot contain them");
  command->add_option("--format", arguments->format, "table, markdown, latex, csv or json")
      ->capture_default_str();
  command->callback([arguments] { regrade_command(*arguments); });
}

}  // namespace fbt::cli
