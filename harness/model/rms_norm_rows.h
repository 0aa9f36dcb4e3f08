#pragma once

// RMSNorm row by row (rms_norm.h), for the operations that contain one.

#include <algorithm>
#include <cstdint>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "harness/model/row_kernels.h"

namespace fbt {

// One norm's gain, and its slopes: rows of a block add up one part of them, so that
// the sum's order does not depend on the threads.
class NormRows {
 public:
  // gain [n]
  NormRows(const at::Tensor& gain, double epsilon)
      : gain_(gain.to(at::kFloat).contiguous()),
        gains_(gain_.data_ptr<float>()),
        size_(gain.size(0)),
        epsilon_(static_cast<float>(epsilon)) {}

  static std::int64_t blocks(std::int64_t rows) {
    return (rows + kRowsPerBlock - 1) / kRowsPerBlock;
  }
  // work(block, begin, end) for each block of rows.
  template <typename Work>
  static void for_each_block(std::int64_t rows, const Work& work) {
    at::parallel_for(0, blocks(rows), 1, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t block = first; block < last; ++block) {
        work(block, block * kRowsPerBlock, std::min(rows, (block + 1) * kRowsPerBlock));
      }
    });
  }

  // Float32 [parts,n], zero: where slopes() adds up the gain's.
  at::Tensor gain_parts(std::int64_t parts) const {
    return at::zeros({parts, size_}, gain_.options());
  }

  // rms_norm_row() and rms_norm_slopes() with this gain.
  float apply(const float* x, float* y) const {
    return rms_norm_row(x, gains_, epsilon_, y, size_);
  }
  void slopes(const float* x, float r, const float* dy, float* dx, float* part) const {
    rms_norm_slopes(x, gains_, r, dy, dx, part, size_);
  }

  // Wide gain, to be saved for the backward pass.
  const at::Tensor& gain() const { return gain_; }

 private:
  static constexpr std::int64_t kRowsPerBlock = 256;

  at::Tensor gain_;
  const float* gains_;
  std::int64_t size_;
  float epsilon_;
};

}  // namespace fbt
