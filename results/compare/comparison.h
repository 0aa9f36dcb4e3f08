#pragma once

// Checkpoints side by side: a row each, a column per task (or group mean) and
// mode, with intervals and paired differences to a baseline.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "results/compare/selection.h"
#include "results/statistics/paired.h"

namespace fbt::results {

struct CompareOptions {
  // Name or hash of the checkpoint that differences are taken to; empty: none.
  std::string baseline = {};
  // Mode of the baseline; empty: the column's own, or standard where the
  // baseline has no such run.
  std::string baseline_mode = {};
  std::string metric = {};  // empty: each task's primary one
  TemperatureChoice temperature = {};
  double level = 0.95;
  // Columns also for the tasks of a size-weighted group (MMLU's subjects), for
  // which the group stands otherwise.
  bool subjects = false;
};

struct ComparisonColumn {
  std::string task;  // or group
  std::string mode;
  std::string metric;  // of groups: "mean" where the tasks' metrics differ
  bool is_group = false;
};

struct ComparisonCell {
  Estimate score;
  std::optional<double> temperature;  // where the run has a grid
  int documents = 0;                  // of groups: of all tasks inside
  bool complete = true;
  std::optional<PairedComparison> difference;  // to the baseline
  std::string baseline_mode;                   // the mode it was taken to
  double p_adjusted = 1;                       // Holm over the whole table
  bool significant = false;                    // p_adjusted < 1 - level
};

struct ComparisonRow {
  Checkpoint checkpoint;
  std::optional<double> effective_compute;  // train_tokens x average_passes
  bool is_baseline = false;
  // One per column; empty where the checkpoint has no such run.
  std::vector<std::optional<ComparisonCell>> cells;
};

struct Comparison {
  std::vector<ComparisonColumn> columns;  // by task, then mode; groups last
  std::vector<ComparisonRow> rows;        // by train_tokens, family, name
  std::string baseline;                   // its name; empty: none
  CompareOptions options;
};

// `runs` as select_runs() gave them. Throws InputError where they are not
// comparable, where the baseline is unknown, and for metrics and temperatures
// that a run lacks.
Comparison compare_runs(std::span<const RunData> runs, const CompareOptions& options);

// "standard" < "soft" < "fused" < "fused-2" …
bool mode_before(const std::string& a, const std::string& b);

// Per-document values of two runs on the documents that both have done.
struct PairedScores {
  std::vector<double> first;
  std::vector<double> second;
  std::vector<std::string> subjects;
};
PairedScores pair_documents(const RunData& first, std::span<const double> first_values,
                            const RunData& second, std::span<const double> second_values);

}  // namespace fbt::results
