#pragma once

// Rotary position embedding, differentiable.

#include <ATen/core/Tensor.h>

namespace fbt {

// rotate_halves() of x [...,T,d] with cosine and sine [T,d/2], float32 or wider
// and without gradient. float32 and bfloat16 on the CPU run in one loop with
// float32 arithmetic; all else goes through LibTorch's operations in x's dtype.
at::Tensor rotate(const at::Tensor& x, const at::Tensor& cosine, const at::Tensor& sine);

}  // namespace fbt
