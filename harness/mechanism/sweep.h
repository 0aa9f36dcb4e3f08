#pragma once

// The paper's Fig. 4: task scores and validation loss against the feedback steps
// of the prefill, with paired tests between steps.

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "harness/mechanism/stability.h"
#include "results/statistics/paired.h"
#include "results/summary/run_data.h"
#include "results/table/table.h"

namespace fbt::mechanism {

// A difference between two steps over the same documents.
struct StepDifference {
  double difference = 0;  // later - earlier
  results::Interval interval;
  double p = 1;           // two-sided
  double p_adjusted = 1;  // Holm over the same comparison of all figures
};

// One curve of the figure: a task, a group's mean, or the validation loss.
struct SweepCurve {
  std::string name;
  bool is_loss = false;  // nats a token, lower is better; else a score, higher is better
  int documents = 0;
  std::vector<double> values;               // by step, 0 … N
  std::vector<double> standard_errors;      // by step
  std::vector<StepDifference> to_previous;  // [n - 1]: n against n - 1
  std::vector<StepDifference> to_zero;      // [n - 1]: n against 0
};

struct SweepResult {
  std::string checkpoint;
  int steps = 0;
  std::vector<SweepCurve> curves;  // loss, groups and means, then tasks
};

// The task runs of one checkpoint at every step, in any order; those of other
// modes or steps are not looked at. A group's differences are its tasks' paired
// differences averaged as its scores are; a size-weighted group (MMLU) stands for
// its tasks, which have no curves of their own then. Throws InputError where a step of a
// task is missing.
SweepResult summarize_sweep(const std::string& checkpoint, int steps,
                            std::span<const results::RunData> runs,
                            std::span<const results::TaskGroup> groups,
                            const std::optional<StabilityResult>& loss);

std::vector<results::Table> sweep_tables(const SweepResult& result);
// "schema": 1; docs/mechanism.md lists the keys.
nlohmann::json sweep_json(const SweepResult& result);

}  // namespace fbt::mechanism
