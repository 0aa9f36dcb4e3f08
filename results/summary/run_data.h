#pragma once

// A run's per-document values in memory: what summary, compare, gate and report
// compute with.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/store/store.h"

namespace fbt::results {

struct RunData {
  RunRecord run;
  // Documents that are done (the primary metric at every temperature), sorted.
  std::vector<std::int64_t> doc_ids;
  std::vector<std::string> subjects;  // of doc_ids; all empty where the task has none
  std::vector<double> temperatures;   // {0} for log-likelihood tasks
  // values[metric][t][d]: document d's value at temperatures[t]. Metrics that
  // some done document lacks are left out.
  std::map<std::string, std::vector<std::vector<double>>> values;
  // Samples at temperatures[t], by document, of done documents.
  std::vector<std::vector<SampleOutcome>> samples;
  int cut_prompts = 0;

  const std::vector<std::vector<double>>& primary() const {
    return values.at(run.plan.primary_metric);
  }
};

RunData load_run(const Store& store, const RunRecord& run);

// At which temperature a run's figure is taken.
struct TemperatureChoice {
  enum class Kind {
    kBest,       // the grid's best, as the paper reports
    kSplitHalf,  // chosen on one half, scored on the other
    kFixed,
  } kind = Kind::kBest;
  double temperature = 0;  // of kFixed
};

// "best", "split-half" or a number. Throws InputError.
TemperatureChoice temperature_choice_from_text(std::string_view text);

struct ChosenScores {
  std::vector<double> per_document;
  std::size_t temperature_index = 0;  // for split-half: the one chosen most often
};

// `metric` empty: the primary one. Throws InputError where the run lacks the
// temperature or metric. Where the grid has one temperature all choices are that.
ChosenScores choose_scores(const RunData& data, const TemperatureChoice& choice,
                           const std::string& metric = {});

// Mean trace length of each document at a temperature; empty for log-likelihood runs.
std::vector<double> trace_lengths(const RunData& data, std::size_t temperature_index);

}  // namespace fbt::results
