#pragma once

// Results in the layout of lm-evaluation-harness (--output_path, 0.4 and later),
// so that tools which read its files read ours: one model per checkpoint and
// mode, MODEL/results_DATE.json and MODEL/samples_TASK_DATE.jsonl.

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "results/compare/selection.h"

namespace fbt::results {

// Writes the files of all runs under `folder` (made where absent) and gives
// their paths. A run with a grid of temperatures is given at its best one, the
// others as filters "temperature-T". Throws InputError where a checkpoint has two
// runs of a task in a mode, EnvironmentError where a file cannot be written.
std::vector<std::filesystem::path> export_lm_eval(std::span<const ChosenRun> runs,
                                                  const std::filesystem::path& folder,
                                                  bool with_samples);

}  // namespace fbt::results
