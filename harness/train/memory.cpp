#include "harness/train/memory.h"

#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace fbt::train {

void keep_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_MAX, 0);         // no block of its own for a large tensor
  mallopt(M_TRIM_THRESHOLD, -1);  // never shrink the heap
  mallopt(M_TOP_PAD, 64 << 20);   // grow it in large steps
#endif
}

}  // namespace fbt::train
