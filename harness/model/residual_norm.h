#pragma once

// What stands between two blocks of the transformer, differentiable: the norm of
// what a block gives, its addition to the residual stream, and the norm that the
// next block reads. One pass over memory each way; apart they take three and four.

#include <ATen/core/Tensor.h>

namespace fbt {

struct ResidualNorm {
  at::Tensor hidden;  // stream + multiplier RMSNorm(branch; branch_gain)
  at::Tensor normed;  // RMSNorm(hidden; next_gain)
};

// stream, branch [..., n], gains [n], of one dtype and device. float32 and bfloat16
// on the CPU run in one loop, rounded where the separate operations round (to the
// last bit of LibTorch 1.13's); all else by the formula.
ResidualNorm residual_norm(const at::Tensor& stream, const at::Tensor& branch,
                           const at::Tensor& branch_gain, double multiplier,
                           const at::Tensor& next_gain, double epsilon);

// The same in separate operations.
ResidualNorm residual_norm_formula(const at::Tensor& stream, const at::Tensor& branch,
                                   const at::Tensor& branch_gain, double multiplier,
                                   const at::Tensor& next_gain, double epsilon);

}  // namespace fbt
