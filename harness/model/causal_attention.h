#pragma once

// Causal softmax attention with grouped queries and a sliding window, differentiable.

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace fbt {

// query [B,H,T,d], already scaled; key, value [B,K,T,d]; query head h reads
// key/value head floor(h K / H). Position t sees the keys s <= t with
// t - s < window. -> [B,H,T,d].
//
// float32 and bfloat16 on the CPU: queries go in blocks, so that no score is
// computed for a key that a whole block cannot see; softmax in float32. All else
// by the formula.
at::Tensor causal_attention(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                            std::int64_t window);

// The same in LibTorch's operations, with all T x T scores.
at::Tensor causal_attention_formula(const at::Tensor& query, const at::Tensor& key,
                                    const at::Tensor& value, std::int64_t window);

}  // namespace fbt
