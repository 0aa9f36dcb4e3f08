#pragma once

// silu(gate) * up, the feedforward layer's middle, differentiable.

#include <ATen/core/Tensor.h>

namespace fbt {

// gate, up [..., n] of one shape and dtype -> [..., n]. float32 and bfloat16 on
// the CPU run in one loop with float32 arithmetic; all else by the formula.
at::Tensor swiglu(const at::Tensor& gate, const at::Tensor& up);

// The same in LibTorch's operations.
at::Tensor swiglu_formula(const at::Tensor& gate, const at::Tensor& up);

}  // namespace fbt
