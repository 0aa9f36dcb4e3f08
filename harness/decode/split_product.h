#pragma once

// Products through LibTorch, shared out to threads by outputs: the BLAS that Debian's
// LibTorch calls runs on one thread unless the environment tells it otherwise.

#include <ATen/core/Tensor.h>

#include "harness/decode/scratch.h"

namespace fbt {

// out [M,N] = x [M,K] weight^T, weight [N,K]; all contiguous, on the CPU and of one
// dtype, but for out, which may be float32 where the others are bfloat16. With `widen`
// bfloat16 is multiplied as float32: the weight a panel of outputs at a time, so that
// it is never held twice, and sums are rounded once; panels and what else is widened
// lie in `scratch`.
void split_product(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& out, bool widen,
                   Scratch& scratch);

}  // namespace fbt
