#pragma once

// Attention's way out, differentiable: every head's output times its gate, heads
// behind positions again, in one pass over memory.

#include <ATen/core/Tensor.h>

namespace fbt {

// mixed [B,H,T,d], gate [B,T,H] of one dtype and device -> [B,T,H*d]. float32 and
// bfloat16 on the CPU run in one loop; all else by the formula.
at::Tensor gated_heads(const at::Tensor& mixed, const at::Tensor& gate);

// The same in LibTorch's operations.
at::Tensor gated_heads_formula(const at::Tensor& mixed, const at::Tensor& gate);

}  // namespace fbt
