#pragma once

// Options that compare, gate, report and export share: which results files and
// which of their runs.

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "results/compare/selection.h"

namespace fbt::cli {

struct SelectionFlags {
  std::vector<std::string> databases = {"results.sqlite"};
  results::SelectionOptions selection;
  std::string shots;
  std::string only;

  enum class Checkpoints { kByFlag, kNamedElsewhere };

  // Adds --db, --checkpoints (where they are not named by flags of the command's
  // own), --tasks, --mode, --shots and --only. The object must outlive the parsing.
  void add_to(CLI::App& command, Checkpoints checkpoints = Checkpoints::kByFlag);
  // With --shots and --only worked in. Throws InputError.
  results::SelectionOptions options() const;
  // Opened for reading, in the order given. Throws InputError.
  std::vector<results::Store> open() const;
};

}  // namespace fbt::cli
