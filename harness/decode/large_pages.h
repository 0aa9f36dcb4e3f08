#pragma once

// Large arrays in large pages: a step of few rows does little else than read
// weights and cache, and looking up 4 kB pages takes a good part of that.

#include <cstddef>

namespace fbt {

// Asks the system to back `bytes` at `data`, not written yet, with large pages.
// Where it cannot, nothing changes.
void prefer_large_pages(void* data, std::size_t bytes);

}  // namespace fbt
