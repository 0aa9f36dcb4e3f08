#pragma once

// CpuModel's way from logits to tokens and log-likelihoods.

#include <span>
#include <vector>

#include "harness/decode/cpu_model.h"

namespace fbt {

// InferenceModel's choose() and score(), done at once.
std::vector<ChosenToken> choose_tokens(const CpuModel& model, const at::Tensor& states,
                                       std::span<const TokenChoice> choices, Profile& profile);
std::vector<ChosenToken> score_tokens(const CpuModel& model, const at::Tensor& states,
                                      std::span<const ScoredToken> wanted, Profile& profile);

}  // namespace fbt
