#pragma once

// Which documents a bootstrap draws.

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/random.h"

namespace fbt::results {

// Indices in [0, n) with replacement, four from each block of the counter-based
// generator. Precondition: 0 < n < 2^32, so that scaling 32 bits is even enough.
class ResampledIndices {
 public:
  ResampledIndices(std::uint64_t seed, std::size_t n)
      : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}, n_(n) {}

  std::size_t next() {
    if (used_ == block_.size()) {
      block_ = philox4x32(
          {static_cast<std::uint32_t>(counter_), static_cast<std::uint32_t>(counter_ >> 32), 0, 0},
          key_);
      ++counter_;
      used_ = 0;
    }
    return block_[used_++] * static_cast<std::uint64_t>(n_) >> 32;
  }

 private:
  std::array<std::uint32_t, 2> key_;
  std::size_t n_;
  std::array<std::uint32_t, 4> block_{};
  std::size_t used_ = 4;
  std::uint64_t counter_ = 0;
};

}  // namespace fbt::results
