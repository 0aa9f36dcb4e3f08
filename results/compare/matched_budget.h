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

namespace fbt::mechanism {

struct MatchedPair {
  std::string task;
  std::string standard;  // checkpoint of the standard family
  std::string full_bandwidth;
  std::string mode;  // of the latter: "standard", "fused-0", "fused", "fused-2" …
  double standard_tokens = 0;
  double full_bandwidth_tokens = 0;
  double standard_score = 0;
  double full_bandwidth_score = 0;
  results::PairedComparison comparison;  // full-bandwidth minus standard
};

// All pairs of runs of a task under the same questions where the standard
// checkpoint (in standard mode) saw twice the tokens, within a tenth.
std::vector<MatchedPair> matched_budget(std::span<const results::RunData> runs);

results::Table matched_budget_table(std::span<const MatchedPair> pairs);
nlohmann::json matched_budget_json(std::span<const MatchedPair> pairs);

}  // namespace fbt::mechanism
