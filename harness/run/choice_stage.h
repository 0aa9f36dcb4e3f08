#pragma once

// Multiple choice: the log-likelihoods of all tasks' choices in all their modes,
// and the metrics they come to.

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "harness/backend/backend.h"
#include "harness/run/cell.h"
#include "harness/run/recorder.h"

namespace fbt::run {

// A document of a cell that is still to be done.
struct ChoiceJob {
  std::size_t cell = 0;
  int document = 0;
};

// Scores every job's choices and records documents as they become complete; the
// prompts of later jobs are made beside the backend's work. Jobs whose prompts have
// much in common, a task's and above all a document's, should stand together; what
// is asked of the backend at once goes across tasks, so that small ones fill its
// batches too. `scored` is called after each document with its cell's index;
// returning false stops the work. All jobs' cells are multiple choice.
void score_choices(const std::vector<Cell>& cells, std::span<const ChoiceJob> jobs,
                   Backend& backend, Recorder& recorder,
                   const std::function<bool(std::size_t cell)>& scored);

}  // namespace fbt::run
