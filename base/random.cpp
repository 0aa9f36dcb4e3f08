#include "base/random.h"

namespace fbt {

std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                        std::array<std::uint32_t, 2> key) {
  constexpr std::uint64_t kMultiplier0 = 0xD2511F53;
  constexpr std::uint64_t kMultiplier1 = 0xCD9E8D57;
  constexpr std::uint32_t kWeyl0 = 0x9E3779B9;
  constexpr std::uint32_t kWeyl1 = 0xBB67AE85;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = kMultiplier0 * counter[0];
    const std::uint64_t product1 = kMultiplier1 * counter[2];
    counter = {static_cast<std::uint32_t>(product1 >> 32) ^ counter[1] ^ key[0],
               static_cast<std::uint32_t>(product1),
               static_cast<std::uint32_t>(product0 >> 32) ^ counter[3] ^ key[1],
               static_cast<std::uint32_t>(product0)};
    key[0] += kWeyl0;
    key[1] += kWeyl1;
  }
  return counter;
}

std::uint64_t stable_hash(std::string_view text, std::uint64_t seed) {
  std::uint64_t hash = seed;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3ULL;
  }
  return hash;
}

std::uint64_t KeyedRandom::bits(std::uint64_t step, std::uint64_t lane) const {
  const auto words =
      philox4x32({static_cast<std::uint32_t>(step), static_cast<std::uint32_t>(step >> 32),
                  static_cast<std::uint32_t>(lane), static_cast<std::uint32_t>(lane >> 32)},
                 {static_cast<std::uint32_t>(key_), static_cast<std::uint32_t>(key_ >> 32)});
  return (static_cast<std::uint64_t>(words[1]) << 32) | words[0];
}

double KeyedRandom::uniform(std::uint64_t step, std::uint64_t lane) const {
  return static_cast<double>(bits(step, lane) >> 11) * 0x1.0p-53;
}

}  // namespace fbt
