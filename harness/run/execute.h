#pragma once

// The main job: plan, ask the model for what the store does not hold yet,
// judge, record. Repeating it with the same options finds the same runs and
// does only what is missing.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "harness/backend/backend.h"
#include "harness/run/cell.h"
#include "harness/run/options.h"
#include "harness/run/run_profile.h"
#include "results/store/records.h"

namespace fbt::run {

// The checkpoint as the caller opened it. The backend (gigabytes of weights) is
// made only where something is left to ask, with so many threads for the model.
struct Subject {
  results::Checkpoint checkpoint;
  ModelFacts model;
  std::function<std::unique_ptr<Backend>(int threads)> make_backend;
};

struct Outcome {
  std::vector<results::RunId> runs;  // one per cell, in order
  std::size_t answers = 0;           // samples and choice documents planned in this shard
  std::size_t restored = 0;          // of these, those the store held already
  BackendCounters counters;          // of this session
  double seconds = 0;                // from the first request to the last row stored
  RunProfile profile;                // where they went; empty if nothing was asked
};

// Throws InputError for options, data or checkpoint that cannot be used (before
// any work), InterruptedError after a signal and EnvironmentError where the
// machine failed; what was done by then is in the store.
Outcome execute(const RunOptions& options, const Subject& subject);

// The same for tasks that are loaded already. `registry_groups`: see plan_cells().
Outcome execute(const RunOptions& options, const Subject& subject,
                const tasks::Selection& selection,
                const std::vector<tasks::Group>& registry_groups);

// The folder a run reads its data from: as given, else "samples" for the demo
// checkpoint (which was trained for them), else tasks::default_data_folder().
std::string data_folder_for(const RunOptions& options);

}  // namespace fbt::run
