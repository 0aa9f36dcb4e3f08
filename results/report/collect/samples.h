#pragma once

// Samples for the report's browser: whole documents, with all completions that
// the chosen runs have of them.

#include <span>
#include <string>
#include <vector>

#include "results/store/store.h"
#include "results/summary/run_data.h"

namespace fbt::results {

struct BrowserDocument {
  std::string task;
  std::int64_t doc_id = 0;
  std::string subject;
  std::string prompt;
  std::string target;
};

struct BrowserSample {
  std::size_t document = 0;  // index into SampleSet::documents
  std::size_t run = 0;       // index into the runs given
  double temperature = 0;
  int sample = 0;
  Verdict verdict = Verdict::kUndecided;
  int trace_length = 0;  // 0 for multiple choice, as the next one
  int reasoning_length = 0;
  std::string stop_reason;
  std::string rule;
  std::string extracted;
  // The completion; for multiple choice, a line a choice with its log-likelihood.
  std::string text;
};

struct SampleSet {
  std::vector<BrowserDocument> documents;  // by task, then id
  std::vector<BrowserSample> samples;      // by document, checkpoint, temperature, sample, mode
  long long total = 0;                     // that the runs hold
};

// At most about `most` samples (never more than one document's worth above it):
// each task gets an equal share, and its documents are taken at equal distances.
SampleSet collect_samples(std::span<const Store> stores, std::span<const RunData> runs, int most);

}  // namespace fbt::results
