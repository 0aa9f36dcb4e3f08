#pragma once

// DeviceModel's way from logits to tokens and log-likelihoods. The uniform
// numbers are drawn by the host ahead of time (they depend on no token); where
// they fall in the distribution is found on the device.

#include <span>

#include "harness/decode/inference_model.h"

namespace fbt {

// InferenceModel's choose() and score().
PendingTokens choose_on_device(const InferenceModel& model, const at::Tensor& states,
                               std::span<const TokenChoice> choices, Profile& profile);
PendingScores score_on_device(const InferenceModel& model, const at::Tensor& states,
                              std::span<const ScoredToken> wanted, Profile& profile);

}  // namespace fbt
