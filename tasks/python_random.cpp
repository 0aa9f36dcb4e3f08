#include "tasks/python_random.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <unordered_set>

namespace fbt::tasks {

PythonRandom::PythonRandom(std::uint64_t seed) {
  // "init_by_array" of the published generator, over the seed's 32-bit words.
  std::vector<std::uint32_t> key = {static_cast<std::uint32_t>(seed)};
  if (seed >> 32) key.push_back(static_cast<std::uint32_t>(seed >> 32));

  seed_with(19650218);
  std::size_t i = 1;
  std::size_t j = 0;
  const auto advance = [&] {
    if (++i == kStateSize) {
      state_[0] = state_[kStateSize - 1];
      i = 1;
    }
  };
  for (std::size_t n = std::max(kStateSize, key.size()); n > 0; --n) {
    const std::uint32_t previous = state_[i - 1];
    state_[i] = (state_[i] ^ ((previous ^ (previous >> 30)) * 1664525U)) + key[j] +
                static_cast<std::uint32_t>(j);
    advance();
    j = (j + 1) % key.size();
  }
  for (std::size_t n = kStateSize - 1; n > 0; --n) {
    const std::uint32_t previous = state_[i - 1];
    state_[i] =
        (state_[i] ^ ((previous ^ (previous >> 30)) * 1566083941U)) - static_cast<std::uint32_t>(i);
    advance();
  }
  state_[0] = 0x80000000U;
}

void PythonRandom::seed_with(std::uint32_t seed) {
  state_[0] = seed;
  for (std::size_t i = 1; i < kStateSize; ++i) {
    const std::uint32_t previous = state_[i - 1];
    state_[i] = 1812433253U * (previous ^ (previous >> 30)) + static_cast<std::uint32_t>(i);
  }
}

void PythonRandom::refill() {
  constexpr std::size_t kShift = 397;
  for (std::size_t i = 0; i < kStateSize; ++i) {
    const std::uint32_t mixed =
        (state_[i] & 0x80000000U) | (state_[(i + 1) % kStateSize] & 0x7fffffffU);
    state_[i] = state_[(i + kShift) % kStateSize] ^ (mixed >> 1) ^ (mixed & 1 ? 0x9908b0dfU : 0U);
  }
  used_ = 0;
}

std::uint32_t PythonRandom::next() {
  if (used_ == kStateSize) refill();
  std::uint32_t bits = state_[used_++];
  bits ^= bits >> 11;
  bits ^= (bits << 7) & 0x9d2c5680U;
  bits ^= (bits << 15) & 0xefc60000U;
  return bits ^ (bits >> 18);
}

std::uint32_t PythonRandom::below(std::uint32_t bound) {
  const int spare_bits = 32 - std::bit_width(bound);
  while (true) {
    const std::uint32_t drawn = next() >> spare_bits;
    if (drawn < bound) return drawn;
  }
}

std::vector<std::uint32_t> PythonRandom::sample(std::uint32_t population, std::uint32_t count) {
  // CPython keeps a list of what is left for small populations and a set of
  // what was taken for large ones; the two draw different numbers.
  double list_limit = 21;
  if (count > 5) list_limit += std::pow(4, std::ceil(std::log(count * 3.0) / std::log(4.0)));

  std::vector<std::uint32_t> chosen;
  chosen.reserve(count);
  if (population <= list_limit) {
    std::vector<std::uint32_t> left(population);
    std::iota(left.begin(), left.end(), 0U);
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t last = population - i - 1;
      const std::uint32_t drawn = below(last + 1);
      chosen.push_back(left[drawn]);
      left[drawn] = left[last];
    }
    return chosen;
  }
  std::unordered_set<std::uint32_t> taken;
  while (chosen.size() < count) {
    const std::uint32_t drawn = below(population);
    if (taken.insert(drawn).second) chosen.push_back(drawn);
  }
  return chosen;
}

}  // namespace fbt::tasks
