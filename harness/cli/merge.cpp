// fbt-eval merge: joins the results files of shards.

#include <memory>

#include <spdlog/spdlog.h>

#include "harness/cli/command.h"
#include "results/merge/merge.h"

namespace fbt::cli {
namespace {

struct MergeFlags {
  std::string output;
  std::vector<std::string> inputs;
  results::MergeOptions options;
};

void merge(const MergeFlags& flags) {
  const std::vector<std::filesystem::path> inputs(flags.inputs.begin(), flags.inputs.end());
  const results::MergeCounts counts = results::merge(flags.output, inputs, flags.options);
  spdlog::info("{}: {} runs, {} documents, {} completions, {} choices, {} experiments added",
               flags.output, counts.runs, counts.documents, counts.generations, counts.choices,
               counts.experiments);
}

}  // namespace

void add_merge_command(CLI::App& app, ExitStatus&) {
  auto flags = std::make_shared<MergeFlags>();
  CLI::App* command = app.add_subcommand("merge", "Join the results files of shards");
  command->add_option("--out", flags->output, "Results file to add to; made where absent")
      ->required();
  command->add_option("files", flags->inputs, "Results files to join")->required();
  command->add_flag("--several-plans", flags->options.several_plans,
                    "Keep runs of a task and mode under different settings beside each other");
  command->add_flag("--mixed-versions", flags->options.mixed_versions,
                    "Join parts of a run that different program versions scored");
  command->callback([flags] { merge(*flags); });
}

}  // namespace fbt::cli
