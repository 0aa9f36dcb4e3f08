#include "harness/decode/heap.h"

#include <cstdlib>  // which C library this is

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace fbt {

#ifdef __GLIBC__

namespace {

// Bytes from which on a block is not the heap's.
constexpr int kApart = 1 << 20;
// What glibc arrives at by itself once large blocks come and go: each pass finds
// its buffers in the heap again, their pages at hand.
constexpr int kOtherwise = 32 << 20;

}  // namespace

LargeBlocksApart::LargeBlocksApart() {
  mallopt(M_MMAP_THRESHOLD, kApart);
}

LargeBlocksApart::~LargeBlocksApart() {
  mallopt(M_MMAP_THRESHOLD, kOtherwise);
  mallopt(M_TRIM_THRESHOLD, 2 * kOtherwise);
}

void trim_heap() {
  malloc_trim(0);
}

#else

LargeBlocksApart::LargeBlocksApart() = default;
LargeBlocksApart::~LargeBlocksApart() = default;
void trim_heap() {}

#endif

}  // namespace fbt
