#pragma once

// Rows of a tensor as float32, for loops of this program's own.

#include <cstdint>
#include <vector>

#include <ATen/core/Tensor.h>

#include "harness/model/row_kernels.h"

namespace fbt {

// Whether FloatRows can read it; otherwise the formula in LibTorch's own
// operations is the way.
inline bool has_float_rows(const at::Tensor& tensor) {
  const at::ScalarType type = tensor.scalar_type();
  return tensor.is_cpu() && (type == at::kFloat || type == at::kBFloat16) && tensor.numel() > 0;
}

// Rows (over the last dimension) of a contiguous tensor with has_float_rows().
// The tensor must outlive it. One object serves one thread.
class FloatRows {
 public:
  explicit FloatRows(const at::Tensor& tensor)
      : data_(static_cast<char*>(tensor.data_ptr())),
        size_(tensor.size(-1)),
        is_wide_(tensor.scalar_type() == at::kFloat),
        buffer_(is_wide_ ? 0 : static_cast<std::size_t>(size_)) {}

  // Valid until the next call; for float32 the row itself.
  float* read(std::int64_t row) {
    if (is_wide_) return wide(row);
    widen(narrow(row), buffer_.data(), size_);
    return buffer_.data();
  }
  // Rounds a row of values to the tensor's dtype.
  void round(float* values) const {
    if (!is_wide_) round_as_bfloat16(values, size_);
  }
  // Where to put row `row` before write(row).
  float* target(std::int64_t row) { return is_wide_ ? wide(row) : buffer_.data(); }
  void write(std::int64_t row) {
    if (!is_wide_) round_to_bfloat16(buffer_.data(), narrow(row), size_);
  }

 private:
  float* wide(std::int64_t row) { return reinterpret_cast<float*>(data_) + row * size_; }
  std::uint16_t* narrow(std::int64_t row) {
    return reinterpret_cast<std::uint16_t*>(data_) + row * size_;
  }

  char* data_;
  std::int64_t size_;
  bool is_wide_;
  std::vector<float> buffer_;
};

}  // namespace fbt
