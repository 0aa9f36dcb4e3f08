#pragma once

// The mechanism experiments of a results file as curves and maps
// (docs/mechanism.md says how they are made).

#include <string>
#include <vector>

#include "results/statistics/interval.h"
#include "results/store/experiments.h"

namespace fbt::results {

// Loss and movement of the states by feedback step, over the windows that are done.
struct StabilityCurve {
  Checkpoint checkpoint;
  std::string source;          // name of the text
  std::vector<double> loss;    // [N+1] nats a token, over all predicted tokens
  std::vector<double> change;  // [N+1] mean ‖s(n) - s(n-1)‖ over positions; [0] unused
  int longest_window = 0;      // tokens
  int windows = 0;
  int windows_planned = 0;
};

// One probe task under one condition, layer by layer.
struct ProbeColumn {
  std::string condition;
  std::vector<double> accuracy;  // [layers + 1]: 0 is the input
  std::vector<Interval> intervals;
  std::vector<double> shuffled;  // the control with shuffled labels
};

struct ProbeMap {
  Checkpoint checkpoint;
  std::string task;
  int samples = 0;
  int groups = 0;
  double chance = 0;
  std::vector<ProbeColumn> columns;  // standard first, then by name
};

// Experiments without a finished item are left out. Throw InputError naming the
// item where a value is not what the experiment writes.
std::vector<StabilityCurve> read_stability(const ExperimentStore& store);
std::vector<ProbeMap> read_probes(const ExperimentStore& store);

}  // namespace fbt::results
