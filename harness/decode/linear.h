#pragma once

// Matrix products with fixed weights on the CPU: x W^T. float32, and bfloat16 where
// oneDNN has products of it, go through oneDNN with the weights packed once in the
// layout it likes best; all else through LibTorch.

#include <memory>

#include <ATen/core/Tensor.h>

#include "harness/decode/scratch.h"

namespace fbt {

class Linear {
 public:
  Linear() = default;

  // weight [N,K]. With `batch_invariant` every product is computed as products
  // of one fixed shape, in which a row's bits have been seen not to depend on where it
  // stands, so that they do not depend on the other rows.
  // With `in_place` the weight is shared, not packed: for one that is read
  // elsewhere too.
  Linear(const at::Tensor& weight, bool batch_invariant, bool in_place = false);

  // x [M,K] -> out [M,N], in the weight's dtype or, for bfloat16, in float32 too.
  // Both contiguous. What is needed between them lies in `scratch`. May be called from
  // one thread at a time per process.
  void apply(const at::Tensor& x, const at::Tensor& out, Scratch& scratch) const;

  std::int64_t inputs() const { return inputs_; }
  std::int64_t outputs() const { return outputs_; }

 private:
  void product(const at::Tensor& x, const at::Tensor& out, Scratch& scratch) const;
  bool rows_agree(std::int64_t rows, const at::Tensor& like) const;

  struct Packed;
  std::shared_ptr<const Packed> packed_;  // null: `weight_` is used as it is
  at::Tensor weight_;                     // [N,K]
  std::int64_t inputs_ = 0;               // K
  std::int64_t outputs_ = 0;              // N
  std::int64_t invariant_rows_ = 0;       // of a batch-invariant product; 0: it is not to be one
  bool widened_ = false;                  // see split_product
};

}  // namespace fbt
