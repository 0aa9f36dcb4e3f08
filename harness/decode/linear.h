#pragma once

// Matrix products with fixed weights on the CPU: x W^T. float32, and bfloat16 where
// oneDNN has products of it, go through oneDNN with the weights packed once in the
// layout it likes best; all else through LibTorch.

#include <memory>

#include <ATen/core/Tensor.h>

namespace fbt {

class Linear {
 public:
  Linear() = default;

  // weight [N,K]. With `batch_invariant` every product is computed as products
  // of one fixed shape, so that a row's bits do not depend on the other rows.
  // With `in_place` the weight is shared, not packed: for one that is read
  // elsewhere too.
  Linear(const at::Tensor& weight, bool batch_invariant, bool in_place = false);

  // x [M,K] -> out [M,N], in the weight's dtype or, for bfloat16, in float32 too.
  // Both contiguous. May be called from one thread at a time per process.
  void apply(const at::Tensor& x, const at::Tensor& out) const;

  std::int64_t inputs() const { return inputs_; }
  std::int64_t outputs() const { return outputs_; }

 private:
  void product(const at::Tensor& x, const at::Tensor& out) const;

  struct Packed;
  std::shared_ptr<const Packed> packed_;  // null: `weight_` is used as it is
  at::Tensor weight_;                     // [N,K]
  std::int64_t inputs_ = 0;               // K
  std::int64_t outputs_ = 0;              // N
  bool batch_invariant_ = false;
  bool widened_ = false;  // see split_product
};

}  // namespace fbt
