#pragma once

// Memory for the large buffers of forward passes, kept from one pass to the next.
// From the heap they would leave gaps of many sizes between what stays, which the
// next pass, of other sizes, does not fill; and their pages would come and go.

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace fbt {

// One thread at a time.
class Scratch {
 public:
  // Gives back what was taken during its life when it ends. Frames nest.
  class Frame {
   public:
    explicit Frame(Scratch& scratch) : scratch_(scratch), mark_(scratch.used_) {}
    ~Frame() { scratch_.used_ = mark_; }
    Frame(const Frame&) = delete;
    Frame& operator=(const Frame&) = delete;

    // A contiguous tensor on the CPU with undefined values, on a cache line's
    // border. Must not be used after the frame. The largest is best taken first.
    at::Tensor take(at::IntArrayRef shape, at::ScalarType dtype);

   private:
    Scratch& scratch_;
    std::int64_t mark_;
  };

  // Bytes that are kept.
  std::int64_t capacity() const { return memory_.defined() ? memory_.numel() : 0; }

 private:
  void grow();

  at::Tensor memory_;  // [bytes]
  std::int64_t used_ = 0;
  std::int64_t highest_ = 0;  // that used_ ever was
};

}  // namespace fbt
