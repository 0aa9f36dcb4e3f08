#pragma once

// Products through oneDNN with prepacked weights.

#include <memory>

#include <ATen/core/Tensor.h>

namespace fbt {

class PackedWeight {
 public:
  // float32 and, on CPUs that oneDNN has products of it for, bfloat16 (float64 never).
  static bool supports(at::ScalarType dtype);

  // weight [N,K], contiguous, on the CPU. Its values are copied into oneDNN's
  // layout or, with `in_place`, read where they are (slower, but not held twice).
  explicit PackedWeight(const at::Tensor& weight, bool in_place = false);

  // out [M,N] = x [M,K] W^T; out in the weight's dtype or float32.
  void multiply(const at::Tensor& x, const at::Tensor& out) const;

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

}  // namespace fbt
