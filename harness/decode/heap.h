#pragma once

// Keeping the heap small: what stays for long and what comes and goes with every
// pass must not lie between each other, or neither's gaps are of use to the other.
// Nothing here has an effect where the C library is not glibc.

namespace fbt {

// While it lives, large blocks are taken from the system one by one and go back to
// it when they are freed: for weights, and for the key/value cache.
class LargeBlocksApart {
 public:
  LargeBlocksApart();
  ~LargeBlocksApart();
  LargeBlocksApart(const LargeBlocksApart&) = delete;
  LargeBlocksApart& operator=(const LargeBlocksApart&) = delete;
};

// Gives back to the system what the heap has free.
void trim_heap();

}  // namespace fbt
