#pragma once

// The table that a run prints: a row per task and mode, subject rows and group
// means on request.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "results/statistics/group_mean.h"
#include "results/statistics/interval.h"
#include "results/summary/run_data.h"
#include "results/table/table.h"

namespace fbt::results {

struct TemperatureScore {
  double temperature = 0;
  Estimate primary;
  double chosen_share = 0;  // how often the split-half choice fell on it
  std::vector<std::pair<std::string, MeanScore>> metrics;  // of all metrics
};

struct SubjectScore {
  std::string subject;
  int documents = 0;
  Estimate score;
};

struct SummaryRow {
  RunRecord run;
  std::string mode;  // label, as "fused-2"
  Estimate score;    // primary metric; at the best temperature where there is a grid
  std::optional<Estimate> split_half;                      // where there is a grid
  std::optional<double> temperature;                       // the best one, where there is a grid
  std::vector<TemperatureScore> grid;                      // every temperature of the plan
  std::vector<std::pair<std::string, MeanScore>> metrics;  // all, at that temperature
  std::vector<SubjectScore> subjects;                      // where the task has several
  std::optional<double> median_trace;  // tokens, over samples at that temperature
  std::optional<double> median_reasoning;
  int undecided = 0;  // samples at all temperatures
  int cut_prompts = 0;
  long long generated_tokens = 0;  // in stored samples
  bool complete() const { return run.complete(); }
};

// The mean over a group, of one checkpoint in one mode.
struct GroupRow {
  std::string checkpoint;
  std::string group;
  TaskGroup::Mean mean = TaskGroup::Mean::kPlain;
  std::string mode;
  std::string metric;        // "mean" where the tasks' primary metrics differ
  std::optional<int> shots;  // empty: tasks differ
  int members = 0;
  std::vector<std::string> tasks;  // all inside
  int documents = 0;
  int cut_prompts = 0;
  Estimate score;
  std::optional<double> pooled_standard_error;  // size-weighted: lm-eval's
};

struct Summary {
  std::vector<SummaryRow> rows;
  // Of groups all of whose tasks are there and complete.
  std::vector<GroupRow> groups;
};

SummaryRow summarize_run(const RunData& data);

// Runs in the order given.
Summary summarize(std::span<const RunData> runs);
Summary summarize(const Store& store, std::span<const RunId> runs);

struct SummaryTableOptions {
  // A row per subject under its task, and per task of a size-weighted group (MMLU's
  // subjects), which is left out otherwise.
  bool subjects = false;
  bool temperatures = false;  // a row per temperature
};

Table summary_table(const Summary& summary, const SummaryTableOptions& options = {});

// One JSON object, "schema": 1; docs/results.md lists the keys.
std::string summary_json(const Summary& summary);

}  // namespace fbt::results
