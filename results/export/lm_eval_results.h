#pragma once

// The parts of lm-eval's results file.

#include <span>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "results/summary/run_data.h"

namespace fbt::results {

// A checkpoint in a mode is what lm-eval calls a model: "FBT-200B", "FBT-200B-fused".
std::string lm_eval_model_name(const RunRecord& run);

// The name as a folder's, by lm-eval's rule: characters that paths dislike
// become "__".
std::string lm_eval_folder_name(const std::string& model_name);

// "exact_match,strict-match", "acc,none": a metric's key with its filter.
// `stderr`: that of its standard error.
std::string lm_eval_key(const Plan& plan, const std::string& metric, bool standard_error = false);

// The whole file for one model's runs. `date`: UTC as in the store.
nlohmann::json lm_eval_results(std::span<const RunData> runs, const std::string& date);

}  // namespace fbt::results
