#pragma once

// Marks a function that is compiled once for each kind of vector registers; the
// program takes the best of them that the processor has. Sums in vector lanes may
// differ between processors in their last digits. AddressSanitizer does not get
// along with functions that are chosen at load time.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
#define FBT_VECTOR_CLONES __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#else
#define FBT_VECTOR_CLONES
#endif
