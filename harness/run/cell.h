#pragma once

// A cell: one task in one mode, the unit that has a plan, a run in the store,
// and a row in the table.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "harness/backend/mode.h"
#include "harness/run/options.h"
#include "results/store/plan.h"
#include "results/store/records.h"
#include "tasks/registry.h"
#include "tasks/task.h"

namespace fbt::run {

struct Cell {
  std::shared_ptr<const tasks::Task> task;
  std::shared_ptr<const tasks::PromptSet> prompts;
  Mode mode = Mode::kStandard;
  bool chat = false;           // answers are chat answers
  results::Plan plan;          // every setting that changes an answer
  int documents_planned = 0;   // of all shards
  std::vector<int> documents;  // this shard's document ids
  results::RunId run = 0;

  bool is_generation() const { return task->kind() == tasks::TaskKind::kGeneration; }
};

// What a plan needs to know of the checkpoint.
struct ModelFacts {
  bool has_feedback = false;
  std::string chat_format;  // of fbt.json; may be empty
};

// The cells of a run, tasks in the order asked for, modes within a task.
// `registry_groups`: every group the registry knows. Throws InputError for
// settings that contradict each other or the checkpoint.
std::vector<Cell> plan_cells(const RunOptions& options, const tasks::Selection& selection,
                             const std::vector<tasks::Group>& registry_groups,
                             const ModelFacts& model);

// A group of the registry as plans record it.
results::TaskGroup recorded_group(const tasks::Group& group);

// Of what the first documents' answers are judged against (a plan's data_hash): two
// runs may agree on every prompt and yet be judged against other answers.
std::string references_hash(const tasks::PromptSet& prompts, int documents);

// Names a sample's random stream.
std::uint64_t sample_key(std::uint64_t seed, const std::string& task, int document, Mode mode,
                         double temperature, int sample);

}  // namespace fbt::run
