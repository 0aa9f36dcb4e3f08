#pragma once

// Counter-based random numbers: Philox4x32-10 (Salmon, Moraes, Dror, Shaw,
// "Parallel random numbers: as easy as 1, 2, 3", SC 2011). The value at
// (key, counter) depends on nothing else, so a sample's random numbers are the
// same whatever runs beside it, before it, or on which machine.

#include <array>
#include <cstdint>
#include <string_view>

namespace fbt {

// The bare function: ten rounds over a 128-bit counter with a 64-bit key.
std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                        std::array<std::uint32_t, 2> key);

// 64-bit FNV-1a, to make keys of names. Stable across machines and versions.
std::uint64_t stable_hash(std::string_view text, std::uint64_t seed = 0xcbf29ce484222325ULL);

// A stream of random numbers named by a 64-bit key.
class KeyedRandom {
 public:
  explicit KeyedRandom(std::uint64_t key) : key_(key) {}

  // Uniform in [0, 1) with 53 random bits; `step` and `lane` choose the number.
  double uniform(std::uint64_t step, std::uint64_t lane = 0) const;
  // 64 random bits.
  std::uint64_t bits(std::uint64_t step, std::uint64_t lane = 0) const;

  std::uint64_t key() const { return key_; }

 private:
  std::uint64_t key_;
};

}  // namespace fbt
