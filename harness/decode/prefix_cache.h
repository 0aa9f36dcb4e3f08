#pragma once

// Prefixes that were computed and may be asked for again: a few-shot prompt that
// the next batch of requests begins with, too. Holds them as long as nobody
// needs their memory; the least recently used go first.
//
// Not thread-safe, as KvPool.

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "harness/decode/prefill.h"

namespace fbt {

class PrefixCache {
 public:
  struct Found {
    std::shared_ptr<const PrefixState> state;  // null: nothing
    std::int64_t length = 0;
  };

  // The longest prefix of `tokens` that is held in at least `passes` passes and
  // longer than `above`. It becomes the most recently used.
  Found find(std::span<const int> tokens, int passes, std::int64_t above);

  // Holds `state`, the whole of `tokens` computed in all its passes, as the most
  // recently used. Of two states of the same tokens the one with more passes stays.
  void insert(std::span<const int> tokens, std::shared_ptr<const PrefixState> state);

  // Lets go of the least recently used. False: there is none.
  bool evict();

  std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    std::vector<int> tokens;
    std::uint64_t hash;
    std::shared_ptr<const PrefixState> state;
  };
  using Entries = std::list<Entry>;

  Entries::iterator held(std::span<const int> tokens, std::uint64_t hash);

  Entries entries_;  // most recently used first
  std::unordered_multimap<std::uint64_t, Entries::iterator> by_hash_;
  std::map<std::int64_t, int> lengths_;  // of the entries, with their number
};

}  // namespace fbt
