#include "results/store/packed_tokens.h"

#include <cstdint>

namespace fbt::results {

std::vector<std::byte> pack_tokens(std::span<const int> tokens) {
  std::vector<std::byte> bytes;
  bytes.reserve(tokens.size() * 4);
  for (const int token : tokens) {
    const auto value = static_cast<std::uint32_t>(token);
    for (int shift = 0; shift < 32; shift += 8) {
      bytes.push_back(static_cast<std::byte>(value >> shift & 0xFF));
    }
  }
  return bytes;
}

std::vector<int> unpack_tokens(std::span<const std::byte> bytes) {
  std::vector<int> tokens;
  tokens.reserve(bytes.size() / 4);
  for (std::size_t i = 0; i + 4 <= bytes.size(); i += 4) {
    std::uint32_t value = 0;
    for (std::size_t j = 4; j-- > 0;)
      value = value << 8 | std::to_integer<std::uint32_t>(bytes[i + j]);
    tokens.push_back(static_cast<int>(value));
  }
  return tokens;
}

}  // namespace fbt::results
