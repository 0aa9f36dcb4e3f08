#pragma once

// From a projection to queries or keys, differentiable: every head's RMSNorm, its
// rotary position embedding, and heads in front of positions, in one pass over memory.

#include <ATen/core/Tensor.h>

namespace fbt {

// projected [B,T,heads*d], gain [d], cosine and sine [T,d/2] (float32 or wider,
// without gradient) -> [B,heads,T,d]. float32 and bfloat16 on the CPU run in one
// loop with float32 arithmetic, rounded to the dtype after the norm; all else by
// the formula.
at::Tensor rotated_heads(const at::Tensor& projected, const at::Tensor& gain, double epsilon,
                         const at::Tensor& cosine, const at::Tensor& sine);

// The same in LibTorch's operations.
at::Tensor rotated_heads_formula(const at::Tensor& projected, const at::Tensor& gain,
                                 double epsilon, const at::Tensor& cosine, const at::Tensor& sine);

}  // namespace fbt
