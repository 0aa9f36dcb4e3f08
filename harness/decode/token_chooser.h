#pragma once

// From states to tokens and log-likelihoods: runs the output head over a few
// states at a time, so that [tokens, vocabulary] never stands in memory whole.

#include <cstdint>
#include <span>
#include <vector>

#include "harness/decode/decoder.h"
#include "harness/decode/inference_model.h"
#include "harness/decode/profile.h"

namespace fbt {

// states [R,D] -> the token that choices[r] picks for each row.
std::vector<ChosenToken> choose_tokens(const InferenceModel& model, const at::Tensor& states,
                                       std::span<const TokenChoice> choices, Profile& profile);

// A token whose log-likelihood is wanted after a state.
struct ScoredToken {
  std::int64_t row = 0;  // of the states
  int token = 0;
};

// states [R,D]; `wanted` in any order, several per row if need be. The result i
// belongs to wanted[i]. Rows that nobody asks for cost nothing.
std::vector<ChosenToken> score_tokens(const InferenceModel& model, const at::Tensor& states,
                                      std::span<const ScoredToken> wanted, Profile& profile);

}  // namespace fbt
