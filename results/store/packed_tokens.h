#pragma once

// Token ids as stored: 32-bit little-endian, four bytes each.

#include <cstddef>
#include <span>
#include <vector>

namespace fbt::results {

std::vector<std::byte> pack_tokens(std::span<const int> tokens);
// Bytes beyond a multiple of four are ignored.
std::vector<int> unpack_tokens(std::span<const std::byte> bytes);

}  // namespace fbt::results
