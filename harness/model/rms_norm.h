#pragma once

// RMSNorm over the last dimension, y = x / sqrt(mean(x^2) + epsilon) * gain, in
// one pass over memory forward and one backward. Written out as LibTorch
// operations it takes ten, and half of a small model's training time.

#include <ATen/core/Tensor.h>

namespace fbt {

// x [..., n], gain [n], of one dtype and device; differentiable in both. The
// mean square is taken in float32 (float64 for float64) whatever the dtype. On
// the CPU, float32 and bfloat16 go through kernels of our own; the result for a
// row depends on that row alone, and the gain's gradient not on the threads.
at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& gain, double epsilon);

// The same as LibTorch operations: for other dtypes and devices, and what the
// kernels are tested against.
at::Tensor rms_norm_formula(const at::Tensor& x, const at::Tensor& gain, double epsilon);

}  // namespace fbt
