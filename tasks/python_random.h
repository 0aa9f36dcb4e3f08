#pragma once

// Python's random.Random, as far as lm-eval's few-shot sampler needs it: the
// Mersenne Twister MT19937 (Matsumoto, Nishimura, 1998) seeded with an integer,
// and Random.sample. The numbers equal CPython's.

#include <array>
#include <cstdint>
#include <vector>

namespace fbt::tasks {

class PythonRandom {
 public:
  explicit PythonRandom(std::uint64_t seed);

  // The generator's next 32 bits.
  std::uint32_t next();

  // Uniform in [0, bound), by rejection, as Random._randbelow. Precondition: bound > 0.
  std::uint32_t below(std::uint32_t bound);

  // Random.sample(range(population), count): indices in order of selection.
  // Precondition: count <= population.
  std::vector<std::uint32_t> sample(std::uint32_t population, std::uint32_t count);

 private:
  static constexpr std::size_t kStateSize = 624;

  void seed_with(std::uint32_t seed);
  void refill();

  std::array<std::uint32_t, kStateSize> state_;
  std::size_t used_ = kStateSize;
};

}  // namespace fbt::tasks
