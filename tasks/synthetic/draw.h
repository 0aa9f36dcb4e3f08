#pragma once

// A sequence of random choices. Two Draws made of one key choose alike, on any
// machine (base/random.h).

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/random.h"

namespace fbt::synthetic {

class Draw {
 public:
  explicit Draw(std::uint64_t key) : random_(key) {}

  // Uniform over low … high, both included.
  int between(int low, int high);
  // True with this probability.
  bool chance(double probability);
  // A key for a Draw of its own.
  std::uint64_t key();

  template <typename T>
  const T& pick(std::span<const T> choices) {
    return choices[static_cast<std::size_t>(between(0, static_cast<int>(choices.size()) - 1))];
  }

  // Fisher and Yates: every order is as likely.
  template <typename T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i) {
      std::swap(items[i - 1], items[static_cast<std::size_t>(between(0, static_cast<int>(i) - 1))]);
    }
  }

 private:
  KeyedRandom random_;
  std::uint64_t step_ = 0;
};

}  // namespace fbt::synthetic
