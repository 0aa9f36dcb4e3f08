#pragma once

// The probing experiment: can a linear classifier read the answer from the
// residual stream at the final colon, layer by layer, and under which prefill?

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "harness/decode/pass_stream.h"
#include "harness/mechanism/experiment.h"
#include "harness/mechanism/probe_fit.h"
#include "results/store/records.h"
#include "results/table/table.h"
#include "tasks/probing/probe_dataset.h"

namespace fbt::mechanism {

// "completion", "recall", "registers-1" …, "overwrites-8": all there are, in order.
std::vector<std::string> probe_tasks();

struct ProbeCondition {
  std::string name;  // "standard", "fused-1", "suffix-2"
  PrefillCondition prefill;
};

// Standard, then a fused condition a step count, then a recurrent suffix a
// length; standard only without feedback. Throws InputError for numbers below 1.
std::vector<ProbeCondition> probe_conditions(const std::vector<int>& feedback_steps,
                                             const std::vector<int>& suffixes, bool has_feedback);

struct ProbeSettings {
  std::vector<std::string> tasks;  // empty: all
  std::vector<ProbeCondition> conditions;
  std::vector<int> idle_updates = {0, 8, 32, 128, 256};
  int groups = 0;  // of every data set; 0: as published
  int register_values = 2;
  std::uint64_t seed = 1;
  CrossValidationOptions validation;
  int threads = 0;    // that fit layers side by side; 0: all cores
  std::string dtype;  // kept with the result
  RecordOptions record;
};

// One data set under one condition.
struct ProbeUnit {
  std::string task;
  std::string condition;
  int samples = 0;
  int groups = 0;
  double chance = 0;
  int padded_tokens = 0;
  std::vector<ProbeScore> layers;  // 0 the input, i what layer i - 1 leaves
};

struct ProbeResult {
  std::string checkpoint;
  std::vector<std::string> tasks;       // asked for
  std::vector<std::string> conditions;  // asked for
  std::vector<ProbeUnit> units;         // those that are done, of all shards
  std::vector<std::string> notes;       // what was left out, and why
};

// Computes what the results file does not hold yet; features lie in a folder
// beside it while a unit is at work. Throws InputError for unknown tasks, for too
// few groups, for a suffix as long as a text, and where no text fits the context,
// InterruptedError with finished units kept.
ProbeResult run_probe(const ProbeSettings& settings, const results::Checkpoint& checkpoint,
                      PassStream& stream);

// A table a task: layers down, conditions across.
std::vector<results::Table> probe_tables(const ProbeResult& result);
// The same as shades between chance and 100 %, for a terminal.
std::string probe_heat_map_text(const ProbeResult& result);
// All tasks' maps in one SVG image.
std::string probe_heat_map_svg(const ProbeResult& result);
// "schema": 1; docs/mechanism.md lists the keys.
nlohmann::json probe_json(const ProbeResult& result);

}  // namespace fbt::mechanism
