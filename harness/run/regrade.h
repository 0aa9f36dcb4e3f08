#pragma once

// Scores stored runs again with today's scorers, without the model.
//
// A run is regraded whole or not at all: its new verdicts and the scores that follow
// from them are written in one transaction once every sample is judged, so an
// interrupted regrade leaves each run under one version of the scorers.

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "results/compare/selection.h"
#include "results/store/records.h"

namespace fbt::run {

struct RegradeOptions {
  std::filesystem::path database = "results.sqlite";
  // Which runs; tasks may also be definition files.
  results::SelectionOptions selection;
  std::string data;  // see stored_cell()
  // tokenizer.json or its folder, to find the place of an answer among the tokens.
  // Empty: where the checkpoint lay.
  std::string tokenizer;
  bool dry_run = false;  // judge and tell, write nothing
  int threads = 0;
  bool unsafe_code = false;
};

// A sample whose verdict changed.
struct VerdictChange {
  std::int64_t doc_id = 0;
  double temperature = 0;
  int sample = 0;
  struct Judged {
    results::Verdict verdict = results::Verdict::kUndecided;
    std::string rule;
    std::string extracted;
  } before, after;
};

struct MetricChange {
  std::string metric;
  double temperature = 0;
  double before = 0;  // means over the documents that are scored
  double after = 0;
};

struct RegradedRun {
  results::RunRecord run;
  std::size_t samples = 0;
  std::size_t changed = 0;  // samples of which anything changed: verdict, rule, answer
  // verdicts[before][after], by results::Verdict.
  std::array<std::array<std::size_t, 3>, 3> verdicts = {};
  std::vector<VerdictChange> examples;  // the first of them, by document
  std::vector<MetricChange> metrics;    // all of the plan's
  // Samples whose answer is found elsewhere now, but whose reasoning length stays
  // as it was because there is no tokenizer.
  std::size_t lengths_kept = 0;

  std::size_t verdicts_changed() const;
};

struct RegradeOutcome {
  std::vector<RegradedRun> runs;
  std::size_t choice_runs = 0;  // of multiple choice: nothing to regrade
};

// Throws InputError where no run fits, and before anything is judged where the
// data's prompts or references are no longer those of a run (naming the documents);
// InterruptedError after a signal and EnvironmentError where the sandbox failed (runs
// that were finished by then are written).
RegradeOutcome regrade(const RegradeOptions& options);

}  // namespace fbt::run
