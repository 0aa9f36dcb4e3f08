#pragma once

// Data efficiency (DESIGN.md §3): at how many training tokens would a
// standard-family model score as well, over the tokens this one was trained on.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "results/statistics/interval.h"
#include "results/summary/run_data.h"

namespace fbt::results {

struct DataEfficiency {
  std::string checkpoint;
  std::string task;
  std::string mode;
  double train_tokens = 0;
  double score = 0;
  // Tokens at which the standard family's curve reaches the score, and their
  // ratio to train_tokens, with the bootstrap interval of the ratio.
  double equivalent_tokens = 0;
  double ratio = 0;
  Interval interval;
  // The score lies outside the curve's range: the figures are bounds.
  bool below_curve = false;         // at or below its start: at most this
  bool beyond_curve = false;        // above its end: at least this
  bool interval_open_low = false;   // the interval reaches the curve's start
  bool interval_open_high = false;  // … its end
  int curve_points = 0;
};

// A curve of scores over training tokens.
struct CurvePoint {
  double tokens = 0;
  double score = 0;
};

struct CurveTokens {
  double tokens = 0;
  bool below = false;
  bool beyond = false;
};

// Where the curve reaches `score`: scores are first made non-decreasing by
// isotonic regression (pool adjacent violators), then interpolated linearly in
// log tokens; a flat stretch gives its middle. A score that is no better than the
// curve's start gives the last budget that is no better either, and one above its
// end the last budget, both marked. Precondition: at least one point, by rising tokens.
CurveTokens tokens_at_score(std::span<const CurvePoint> curve, double score);

// Of every run of another family than standard whose task has at least two
// standard-family checkpoints (of the same stage, in standard mode) with known
// train_tokens. The interval resamples documents, the same for all checkpoints
// of a task: percentiles of 2,000 resamples.
std::vector<DataEfficiency> data_efficiencies(std::span<const RunData> runs,
                                              const TemperatureChoice& temperature,
                                              const std::string& metric, double level = 0.95);

// "FBT-200B fused ≈ standard at 412B tokens, 2.06× [1.70, 2.50]".
std::string efficiency_text(const DataEfficiency& efficiency);

}  // namespace fbt::results
