// fbt-eval export: stored results for other programs.

#include <iostream>
#include <memory>

#include <spdlog/spdlog.h>

#include "harness/cli/command.h"
#include "harness/cli/selection_flags.h"
#include "results/export/lm_eval.h"
#include "results/export/samples.h"

namespace fbt::cli {
namespace {

void add_samples_command(CLI::App& parent) {
  struct Flags {
    SelectionFlags selection;
    results::SampleExportOptions options;
    bool no_prompts = false;
  };
  auto flags = std::make_shared<Flags>();
  CLI::App* command = parent.add_subcommand(
      "samples", "Completions and choices with their verdicts, as JSON Lines on standard output");
  flags->selection.add_to(*command);
  command->add_flag("--no-prompts", flags->no_prompts, "Leave prompts and references out");
  command->add_flag("--tokens", flags->options.tokens, "Add the token ids of completions");
  command->callback([flags] {
    flags->options.prompts = !flags->no_prompts;
    const std::vector<results::Store> stores = flags->selection.open();
    for (const auto& run : results::choose_runs(stores, flags->selection.options())) {
      results::export_samples(run, flags->options,
                              [](const std::string& line) { std::cout << line << '\n'; });
    }
  });
}

void add_lm_eval_command(CLI::App& parent) {
  struct Flags {
    SelectionFlags selection;
    std::string folder;
    bool samples = false;
  };
  auto flags = std::make_shared<Flags>();
  CLI::App* command =
      parent.add_subcommand("lm-eval", "Results files as lm-evaluation-harness writes them");
  flags->selection.add_to(*command);
  command->add_option("--out", flags->folder, "Folder to write to")->required();
  command->add_flag("--samples", flags->samples, "Write samples_TASK files too");
  command->callback([flags] {
    const std::vector<results::Store> stores = flags->selection.open();
    const auto runs = results::choose_runs(stores, flags->selection.options());
    for (const auto& path : results::export_lm_eval(runs, flags->folder, flags->samples)) {
      spdlog::info("wrote {}", path.string());
    }
  });
}

}  // namespace

void add_export_command(CLI::App& app, ExitStatus&) {
  CLI::App* command = app.add_subcommand("export", "Stored results for other programs");
  command->require_subcommand(1);
  add_samples_command(*command);
  add_lm_eval_command(*command);
}

}  // namespace fbt::cli
