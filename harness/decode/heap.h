#pragma once

// Keeping the heap small: between the large blocks of weights, cache and passes, which
// come in all sizes, gaps would be left that are of no use to the next. Nothing here
// has an effect where the C library is not glibc.

namespace fbt {

// From now on, for the whole process, large blocks are taken from the system one by
// one and go back to it when they are freed.
void set_large_blocks_apart();

// Gives back to the system what the heap has free.
void trim_heap();

}  // namespace fbt
