#pragma once

// LibTorch's dtypes and the kernels' scalars.

#include <ATen/core/Tensor.h>

#include "harness/decode/kernels/kernels.h"

namespace fbt {

// Calls body(S{}) with the kernels' scalar for `dtype`: bfloat16, float32 or float64.
template <typename Body>
void with_scalar(at::ScalarType dtype, const Body& body) {
  switch (dtype) {
    case at::kBFloat16:
      return body(kernels::Bf16{});
    case at::kFloat:
      return body(float{});
    case at::kDouble:
      return body(double{});
    default:
      TORCH_CHECK(false, "the kernels have no ", dtype);
  }
}

// The elements of a contiguous CPU tensor whose dtype is S's.
template <typename S>
S* scalars(const at::Tensor& tensor) {
  return static_cast<S*>(tensor.data_ptr());
}

template <typename S>
kernels::Wide<S>* wide_scalars(const at::Tensor& tensor) {
  return static_cast<kernels::Wide<S>*>(tensor.data_ptr());
}

}  // namespace fbt
