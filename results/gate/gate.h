#pragma once

// May this checkpoint replace that one? Holds a policy against two checkpoints'
// runs, task by task and mode by mode.

#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "results/gate/check.h"
#include "results/gate/policy.h"

namespace fbt::results {

// One task in one mode.
struct GateCell {
  std::string task;
  std::string mode;
  std::string metric;
  // Why the runs cannot be judged; empty: they can, and `checks` says how.
  std::vector<std::string> problems;
  std::vector<GateCheck> checks;
};

struct GateReport {
  std::string baseline;  // names of the checkpoints
  std::string candidate;
  GatePolicy policy;
  std::vector<GateCell> cells;  // by task, then mode
  // Problems over failures over doubts: what was measured on broken runs says
  // nothing, and a failure is one whatever the others may show.
  GateStatus status = GateStatus::kPass;
};

// Runs as select_runs() gives them, of one checkpoint each. Runs that are
// missing, incomplete, mismatched or too small make the report invalid; they
// are not thrown. Throws InputError for temperatures and metrics of the policy
// that a run lacks, and where there is nothing to gate.
GateReport run_gate(std::span<const RunData> baseline, std::span<const RunData> candidate,
                    const GatePolicy& policy);

// kDone for a pass, kGateFailed for a failure, kBadInput for everything else.
ExitStatus gate_exit_status(GateStatus status);

// "gsm8k fused: score -7.1 points …", one for each problem and each check that
// does not pass.
std::vector<std::string> gate_reasons(const GateReport& report);

}  // namespace fbt::results
