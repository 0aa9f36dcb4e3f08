#include "harness/cli/selection_flags.h"

namespace fbt::cli {

void SelectionFlags::add_to(CLI::App& command, Checkpoints checkpoints) {
  command.add_option("--db", databases, "Results files (results.sqlite)")->delimiter(',');
  if (checkpoints == Checkpoints::kByFlag) {
    command
        .add_option("--checkpoints", selection.checkpoints,
                    "Only these, by name or by the start of their hash")
        ->delimiter(',');
  }
  command.add_option("--tasks", selection.tasks, "Only these tasks or groups")->delimiter(',');
  command.add_option("--mode", selection.modes, "Only these modes")->delimiter(',');
  command.add_option("--shots", shots, "Only runs with this many few-shot examples");
  command.add_option("--only", only, "Only runs with these settings, as limit=none,seed=0");
}

results::SelectionOptions SelectionFlags::options() const {
  results::SelectionOptions options = selection;
  options.settings = results::parse_settings(only);
  if (!shots.empty()) options.settings["shots"] = shots;
  return options;
}

std::vector<results::Store> SelectionFlags::open() const {
  std::vector<results::Store> stores;
  for (const std::string& path : databases) stores.emplace_back(path, results::OpenMode::kRead);
  return stores;
}

}  // namespace fbt::cli
