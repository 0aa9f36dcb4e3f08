#include "harness/decode/scratch.h"

#include <algorithm>

#include <ATen/ATen.h>

#include "harness/decode/large_pages.h"

namespace fbt {
namespace {

constexpr std::int64_t kAlignment = 64;

}  // namespace

void Scratch::grow() {
  if (highest_ <= capacity()) return;
  memory_ = at::Tensor();  // before there is another
  memory_ = at::empty({highest_}, at::kByte);
  prefer_large_pages(memory_.data_ptr(), memory_.nbytes());
}

at::Tensor Scratch::Frame::take(at::IntArrayRef shape, at::ScalarType dtype) {
  const std::int64_t bytes =
      c10::multiply_integers(shape) * static_cast<std::int64_t>(c10::elementSize(dtype));
  const std::int64_t begin = scratch_.used_;
  scratch_.used_ += (bytes + kAlignment - 1) / kAlignment * kAlignment;
  scratch_.highest_ = std::max(scratch_.highest_, scratch_.used_);
  // Only while nobody holds a part of it can the memory be another.
  if (begin == 0) scratch_.grow();
  if (scratch_.used_ > scratch_.capacity()) return at::empty(shape, dtype);
  return at::from_blob(scratch_.memory_.data_ptr<std::uint8_t>() + begin, shape, dtype);
}

}  // namespace fbt
