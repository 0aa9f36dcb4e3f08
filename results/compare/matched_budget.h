#pragma once

// The matched-budget table: a full-bandwidth checkpoint trained on T tokens
// against a standard-family one trained on 2 T.

#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "results/statistics/paired.h"
#include "results/summary/run_data.h"
#include "results/table/table.h"

namespace fbt::results {

struct MatchedPair {
  std::string task;  // or group
  bool is_group = false;
  std::string standard;  // checkpoint of the standard family
  std::string full_bandwidth;
  std::string mode;  // of the latter: "standard", "fused-0", "fused", "fused-2" …
  double standard_tokens = 0;
  double full_bandwidth_tokens = 0;
  // Over the documents that both have done.
  double standard_score = 0;
  double full_bandwidth_score = 0;
  PairedComparison comparison;  // full-bandwidth minus standard
  double p_adjusted = 1;        // Holm over all pairs
};

// All pairs of runs of a task under the same questions where the standard
// checkpoint (in standard mode) saw twice the tokens, within a tenth; after the
// tasks of two checkpoints and a mode, the groups all of whose tasks are there.
// A size-weighted group (MMLU) stands for its tasks.
std::vector<MatchedPair> matched_budget(std::span<const RunData> runs);

Table matched_budget_table(std::span<const MatchedPair> pairs);
nlohmann::json matched_budget_json(std::span<const MatchedPair> pairs);

}  // namespace fbt::results
