#pragma once

// Trace lengths by mode: medians over samples, and the paired change over
// documents against the same checkpoint's standard mode.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "results/statistics/paired.h"
#include "results/summary/run_data.h"

namespace fbt::results {

struct TraceLengths {
  std::string checkpoint;
  std::string task;
  std::string mode;
  std::optional<double> temperature;   // where the run has a grid
  double median = 0;                   // tokens, over samples
  std::optional<double> median_right;  // over right samples; empty: there is none
  std::optional<double> median_wrong;
  // Against standard mode: of all documents, of those right in both modes (score
  // at least a half) and of those wrong in both. Empty for standard itself.
  std::optional<PairedRatio> change;
  std::optional<PairedRatio> change_right;
  std::optional<PairedRatio> change_wrong;
};

// Of every generation run, in the order of `runs`.
std::vector<TraceLengths> compare_lengths(std::span<const RunData> runs,
                                          const TemperatureChoice& temperature,
                                          double level = 0.95);

}  // namespace fbt::results
