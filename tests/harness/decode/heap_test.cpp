#include "harness/decode/heap.h"

#include <cstdlib>  // which C library this is

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#ifdef __GLIBC__
#include <malloc.h>

namespace fbt {
namespace {

TEST(Heap, LargeBlocksAreApartWhateverWasFreedBefore) {
  set_large_blocks_apart();
  // Left alone the C library takes blocks up to this size from the heap from now on.
  at::empty({16 << 20}, at::kByte);
  const std::size_t before = mallinfo2().hblks;
  {
    const at::Tensor large = at::empty({2 << 20}, at::kByte);
    EXPECT_EQ(mallinfo2().hblks, before + 1);
    const at::Tensor small = at::empty({512 << 10}, at::kByte);
    EXPECT_EQ(mallinfo2().hblks, before + 1);
  }
  EXPECT_EQ(mallinfo2().hblks, before);
}

}  // namespace
}  // namespace fbt
#endif
