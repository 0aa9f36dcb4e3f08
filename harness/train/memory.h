#pragma once

namespace fbt::train {

// Lets the C library keep what is freed for what is allocated next, for the whole
// process. A training step allocates the same large tensors again and again; given
// back to the system, their pages come anew, cleared, each time. Does nothing
// where the library is not glibc.
void keep_freed_memory();

}  // namespace fbt::train
