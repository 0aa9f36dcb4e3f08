#pragma once

// The paper's Fig. 3: loss and movement of the states per feedback step.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "harness/decode/pass_stream.h"
#include "harness/mechanism/convergence.h"
#include "harness/mechanism/experiment.h"
#include "harness/mechanism/text_windows.h"
#include "results/store/records.h"
#include "results/table/table.h"

namespace fbt::mechanism {

struct StabilityOptions {
  int steps = 16;  // N: feedback steps beyond the plain pass
  ConvergenceOptions convergence;
  std::string dtype;  // kept with the result
  RecordOptions record;
};

// One window at every step.
struct WindowCurve {
  std::vector<double> loss;    // [N+1] nats a token
  std::vector<double> change;  // [N+1] mean ‖s(n) - s(n-1)‖ over positions
  int tokens = 0;
};

struct StabilityResult {
  std::string checkpoint;
  std::string source;
  int steps = 0;
  int windows_planned = 0;
  std::vector<WindowCurve> windows;  // those that are done, of all shards
  std::vector<double> loss;          // [N+1], over all predicted tokens
  std::vector<double> change;        // [N+1], over all positions
  Convergence convergence;
  std::string verdict_in_words;  // describe()
  std::string explanation;       // explain(), which begins with it
  bool complete() const { return static_cast<int>(windows.size()) >= windows_planned; }
};

// Computes what the results file does not hold yet. Throws InterruptedError with
// the finished windows kept.
StabilityResult run_stability(const StabilityOptions& options,
                              const results::Checkpoint& checkpoint, const TextWindows& text,
                              PassStream& stream);

// Steps 0 … 8, then at growing distances, and the last one.
results::Table stability_table(const StabilityResult& result);
// "schema": 1; docs/mechanism.md lists the keys.
nlohmann::json stability_json(const StabilityResult& result);

}  // namespace fbt::mechanism
