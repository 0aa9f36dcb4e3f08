#pragma once

// Token sequences, equal ones kept once: 4 choices, 30 samples or 3 modes over
// one prompt are one sequence of the prefix tree.

#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "harness/decode/prefix_tree.h"

namespace fbt {

class SequenceSet {
 public:
  // The index of the sequence, which then has at least `passes` passes.
  int add(std::vector<int> tokens, int passes) {
    const std::size_t hash = std::hash<std::string_view>{}(
        {reinterpret_cast<const char*>(tokens.data()), tokens.size() * sizeof(int)});
    const auto [first, last] = by_hash_.equal_range(hash);
    for (auto candidate = first; candidate != last; ++candidate) {
      TreeSequence& sequence = sequences_[static_cast<std::size_t>(candidate->second)];
      if (sequence.tokens != tokens) continue;
      sequence.passes = std::max(sequence.passes, passes);
      return candidate->second;
    }
    const int index = static_cast<int>(sequences_.size());
    sequences_.push_back({std::move(tokens), passes});
    by_hash_.emplace(hash, index);
    return index;
  }

  std::vector<TreeSequence> take() { return std::move(sequences_); }

 private:
  std::vector<TreeSequence> sequences_;
  std::unordered_multimap<std::size_t, int> by_hash_;
};

}  // namespace fbt
