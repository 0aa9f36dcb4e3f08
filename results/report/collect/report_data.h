#pragma once

// Everything a report is made of, read and computed.

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "results/compare/comparison.h"
#include "results/compare/efficiency.h"
#include "results/compare/lengths.h"
#include "results/compare/reference.h"
#include "results/report/collect/experiments.h"
#include "results/report/collect/samples.h"
#include "results/summary/summary.h"

namespace fbt::results {

struct ReportOptions {
  std::string title;  // empty: made from the checkpoints' names
  SelectionOptions selection;
  // Without a baseline: a single checkpoint's own standard mode, else the first
  // row of the table.
  CompareOptions compare;
  bool references = false;
  int samples = 20'000;  // in the browser, at most
  // The verdict on a stability curve, in a sentence; empty: none is given.
  std::function<std::string(const StabilityCurve&)> judge_stability = {};
};

struct ReportData {
  std::vector<std::string> files;              // names of the results files
  std::vector<RunData> runs;                   // may be empty: experiments only
  std::vector<std::vector<Session>> sessions;  // of each run
  Summary summary;
  Comparison comparison;
  std::vector<DataEfficiency> efficiencies;
  std::vector<TraceLengths> lengths;
  std::vector<ReferenceRow> references;
  std::vector<StabilityCurve> stability;
  std::vector<ProbeMap> probes;
  SampleSet samples;
};

// Throws InputError as select_runs() and compare_runs() do, and where the files
// hold neither runs nor experiments.
ReportData collect_report(std::span<const std::filesystem::path> databases,
                          const ReportOptions& options);

}  // namespace fbt::results
