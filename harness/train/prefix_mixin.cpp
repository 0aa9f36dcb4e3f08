#include "harness/train/prefix_mixin.h"

#include "base/random.h"

namespace fbt::train {

std::vector<std::int64_t> draw_plain_prefixes(std::int64_t rows, std::int64_t length, double share,
                                              std::uint64_t key) {
  const KeyedRandom random(key);
  std::vector<std::int64_t> prefixes(static_cast<std::size_t>(rows), 0);
  for (std::size_t row = 0; row < prefixes.size(); ++row) {
    if (random.uniform(row, 0) >= share) continue;
    prefixes[row] =
        1 + static_cast<std::int64_t>(random.uniform(row, 1) * static_cast<double>(length - 1));
  }
  return prefixes;
}

}  // namespace fbt::train
