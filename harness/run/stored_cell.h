#pragma once

// The cell of a stored run, made again from its plan and today's tasks and data.

#include <string>

#include "harness/run/cell.h"
#include "results/store/store.h"
#include "tasks/registry.h"

namespace fbt::run {

// `data`: folder of the data sets or "samples"; empty: the samples where the run was
// made of them, else tasks::default_data_folder(). Throws InputError where the task
// or its data is not to be had, and where its prompts or references are no longer
// those of the run (naming the documents): its samples answer other questions.
Cell stored_cell(const results::Store& store, const results::RunRecord& run,
                 tasks::Registry& registry, const std::string& data);

// "gsm8k fused-2 of NAME", for messages.
std::string run_title(const results::RunRecord& run);

}  // namespace fbt::run
