#pragma once

// BPE's merges: from two adjacent tokens to their rank and the token they make.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fbt::tokenizer {

struct Merge {
  std::uint32_t rank;  // lower merges first
  int id;              // the token made
};

// Open addressing; built once, then only read, by any number of threads.
class MergeTable {
 public:
  static constexpr std::uint32_t kNoRank = UINT32_MAX;

  explicit MergeTable(std::size_t most) {
    while (1ULL << bits_ < 2 * most) ++bits_;
    slots_.resize(1ULL << bits_);
  }

  // A pair that is there already takes the new value.
  void insert(int left, int right, Merge merge) {
    Slot& slot = slots_[slot_of(key_of(left, right))];
    slot = {key_of(left, right), merge};
  }

  // Rank kNoRank where the two do not merge.
  Merge find(int left, int right) const { return slots_[slot_of(key_of(left, right))].merge; }

 private:
  static constexpr std::uint64_t kEmpty = UINT64_MAX;  // ids are not negative
  struct Slot {
    std::uint64_t key = kEmpty;
    Merge merge{kNoRank, -1};
  };

  static std::uint64_t key_of(int left, int right) {
    return (static_cast<std::uint64_t>(left) << 32) | static_cast<std::uint32_t>(right);
  }

  std::size_t slot_of(std::uint64_t key) const {
    const std::size_t mask = slots_.size() - 1;
    // Fibonacci hashing: the product's high bits depend on all of the key's.
    std::size_t slot = key * 0x9E3779B97F4A7C15ULL >> (64 - bits_);
    while (slots_[slot].key != key && slots_[slot].key != kEmpty) slot = (slot + 1) & mask;
    return slot;
  }

  int bits_ = 4;  // log2 of the number of slots
  std::vector<Slot> slots_;
};

}  // namespace fbt::tokenizer
