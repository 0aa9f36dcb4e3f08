#pragma once

// How long the answers are: distributions of trace and reasoning length, and how
// they change between modes and between checkpoints.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "results/statistics/paired.h"
#include "results/summary/run_data.h"
#include "results/table/table.h"

namespace fbt::mechanism {

struct LengthDistribution {
  double mean = 0;
  double tenth = 0;  // percentiles, interpolated
  double quarter = 0;
  double median = 0;
  double three_quarters = 0;
  double ninetieth = 0;
  double longest = 0;
};

// Precondition: not empty.
LengthDistribution distribution_of(std::vector<double> lengths);

struct TraceRow {
  std::string checkpoint;
  std::string task;
  std::string mode;
  std::optional<double> temperature;  // where the run has a grid
  std::string answers;                // "all", "right", "wrong"
  int samples = 0;
  LengthDistribution trace;
  LengthDistribution reasoning;
};

// Over the documents that both runs have done; lengths are means over a
// document's samples.
struct TraceChange {
  std::string task;
  std::string from;     // "standard", or a checkpoint
  std::string to;       // "fused", or a checkpoint
  std::string where;    // the checkpoint, or the mode
  std::string answers;  // "all", "right in both", "wrong in both" (score at least a half)
  int documents = 0;
  std::optional<results::PairedRatio> trace;      // empty: no document, or only empty traces
  std::optional<results::PairedRatio> reasoning;  // likewise
};

struct TraceResult {
  std::vector<TraceRow> rows;
  std::vector<TraceChange> modes;        // a checkpoint's modes against its standard one
  std::vector<TraceChange> checkpoints;  // `after` against `before`, mode by mode
};

struct TraceOptions {
  results::TemperatureChoice temperature;
  std::string before;  // content hashes of checkpoints; empty: no such comparison
  std::string after;
};

// Of the generation runs among `runs`.
TraceResult trace_lengths(std::span<const results::RunData> runs, const TraceOptions& options);

std::vector<results::Table> trace_tables(const TraceResult& result);
// "schema": 1; docs/mechanism.md lists the keys.
nlohmann::json trace_json(const TraceResult& result);

}  // namespace fbt::mechanism
