#pragma once

// Everything that was asked and answered, one JSON object a line, for other
// programs: a line per completion of a generation run, a line per document of a
// multiple-choice run. docs/results.md lists the keys.

#include <functional>
#include <string>

#include "results/compare/selection.h"

namespace fbt::results {

struct SampleExportOptions {
  bool prompts = true;  // each line's prompt and reference answer
  bool tokens = false;  // token ids of completions
};

// Calls `line` with each line, without its end, by document, temperature and
// sample; memory for one run's documents.
void export_samples(const ChosenRun& chosen, const SampleExportOptions& options,
                    const std::function<void(const std::string& line)>& line);

}  // namespace fbt::results
