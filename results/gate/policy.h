#pragma once

// What a candidate must hold to ship, as read from a policy file (docs/gate.md
// describes the keys; default_policy.json is the policy without one).

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/summary/run_data.h"

namespace fbt::results {

// Scores and margins are fractions: 0.05 is five percentage points.
struct GateLimits {
  std::optional<double> floor;             // least score of the candidate
  std::optional<double> margin;            // largest loss against the baseline
  std::optional<double> max_trace_growth;  // largest relative growth of trace length
  int min_documents = 0;
};

// Limits of one task, in some modes or in all.
struct GateRule {
  std::string task;
  std::vector<std::string> modes;  // labels; empty: all that the baseline has
  std::string metric;              // empty: the primary one
  std::string baseline_mode;       // empty: the same as the candidate's
  GateLimits limits;
};

struct GatePolicy {
  std::string name;     // the file, or "default"
  double level = 0.05;  // of every test, one-sided
  double power = 0.8;   // at which the smallest detectable loss is given
  TemperatureChoice temperature = {};
  // Whether every task and mode of the baseline is gated, or only those of `rules`.
  bool all_of_baseline = true;
  double max_undecided = 0;  // largest share of samples that no verdict was found for
  GateLimits defaults;
  std::vector<GateRule> rules;

  // The first rule for this task and mode; null: the defaults hold.
  const GateRule* rule_for(const std::string& task, const std::string& mode) const;
};

// `where` names the text in errors. Throws InputError naming the key for what
// is missing, unknown, of a wrong type or out of range.
GatePolicy parse_policy(std::string_view text, const std::string& where);
GatePolicy read_policy(const std::filesystem::path& file);
GatePolicy default_policy();
// As embedded, to start one's own from.
std::string_view default_policy_json();

}  // namespace fbt::results
