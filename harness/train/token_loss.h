#pragma once

// The cross-entropy of every token, differentiable, without float32 copies of
// the logits.

#include <ATen/core/Tensor.h>

namespace fbt::train {

struct TokenLosses {
  at::Tensor cross_entropy;  // float32 [...]: -log softmax(logits)[target]
  at::Tensor log_partition;  // float32 [...]: log sum exp(logits)
};

// logits [..., V], targets int64 [...]. float32 and bfloat16 on the CPU run in
// one loop with float32 arithmetic, and their gradient has the logits' dtype;
// all else by the formula.
TokenLosses token_losses(const at::Tensor& logits, const at::Tensor& targets);

// The same in LibTorch's operations.
TokenLosses token_losses_formula(const at::Tensor& logits, const at::Tensor& targets);

}  // namespace fbt::train
