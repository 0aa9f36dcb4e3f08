#include "harness/decode/scratch.h"

#include <cstdint>
#include <random>
#include <vector>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

namespace fbt {
namespace {

bool is_aligned(const at::Tensor& tensor) {
  return reinterpret_cast<std::uintptr_t>(tensor.data_ptr()) % 64 == 0;
}

TEST(Scratch, AFrameAfterTheFirstUsesTheMemoryThatIsKept) {
  Scratch scratch;
  EXPECT_EQ(scratch.capacity(), 0);
  const void* first = nullptr;
  for (int pass = 0; pass < 4; ++pass) {
    Scratch::Frame frame(scratch);
    // 120 bytes, 128 with what follows up to the next border, and 400.
    const at::Tensor a = frame.take({3, 5}, at::kDouble);
    const at::Tensor b = frame.take({100}, at::kFloat);
    EXPECT_EQ(a.sizes(), at::IntArrayRef({3, 5}));
    EXPECT_EQ(b.scalar_type(), at::kFloat);
    if (pass == 1) first = a.data_ptr();
    if (pass < 1) continue;
    EXPECT_EQ(scratch.capacity(), 128 + 448);
    EXPECT_EQ(a.data_ptr(), first);
    EXPECT_EQ(static_cast<char*>(b.data_ptr()) - static_cast<char*>(a.data_ptr()), 128);
  }
}

TEST(Scratch, WhatAnInnerFrameTookIsTakenAgain) {
  Scratch scratch;
  for (int pass = 0; pass < 2; ++pass) {
    Scratch::Frame outer(scratch);
    const at::Tensor kept = outer.take({64}, at::kByte).fill_(7);
    void* before = nullptr;
    for (int i = 0; i < 3; ++i) {
      Scratch::Frame inner(scratch);
      const at::Tensor taken = inner.take({1000}, at::kByte).fill_(i);
      if (pass == 1 && i > 0) {
        EXPECT_EQ(taken.data_ptr(), before);
      }
      before = taken.data_ptr();
    }
    EXPECT_EQ(kept.sum().item<std::int64_t>(), 64 * 7);
  }
  EXPECT_EQ(scratch.capacity(), 64 + 1024);
}

TEST(Scratch, NothingTakenOverlapsWhateverIsNested) {
  std::mt19937 random(5);
  Scratch scratch;
  // Frames within frames, each of which fills its tensors and finds them as they
  // were when the inner ones have ended.
  const auto nest = [&](const auto& again, int depth) -> void {
    Scratch::Frame frame(scratch);
    std::vector<at::Tensor> taken;
    for (int i = 0; i < 3; ++i) {
      const auto size = static_cast<std::int64_t>(random() % 300);
      taken.push_back(frame.take({size}, at::kInt).fill_(10 * depth + i));
      EXPECT_TRUE(size == 0 || is_aligned(taken.back()));
      if (depth < 4 && random() % 2 == 0) again(again, depth + 1);
    }
    for (int i = 0; i < 3; ++i) {
      EXPECT_TRUE(taken[static_cast<std::size_t>(i)].eq(10 * depth + i).all().item<bool>());
    }
  };
  for (int round = 0; round < 50; ++round) nest(nest, 0);
}

}  // namespace
}  // namespace fbt
