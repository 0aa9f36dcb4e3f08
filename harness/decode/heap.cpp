#include "harness/decode/heap.h"

#include <cstdlib>  // which C library this is

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace fbt {

#ifdef __GLIBC__

void set_large_blocks_apart() {
  // Bytes from which on a block is not the heap's. Pages of such a block come anew,
  // cleared, each time; a pass with blocks of this size is long enough for that.
  constexpr int kApart = 1 << 20;
  // What smaller ones leave free at the heap's end waits for the next pass.
  constexpr int kKept = 32 << 20;
  mallopt(M_MMAP_THRESHOLD, kApart);
  mallopt(M_TRIM_THRESHOLD, kKept);
}

void trim_heap() {
  malloc_trim(0);
}

#else

void set_large_blocks_apart() {}
void trim_heap() {}

#endif

}  // namespace fbt
