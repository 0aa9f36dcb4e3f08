#include "harness/decode/prefix_cache.h"

#include <algorithm>
#include <utility>

namespace fbt {
namespace {

// FNV-1a over tokens: the hash of a prefix is a step on the way to the whole's.
constexpr std::uint64_t kHashStart = 14695981039346656037ULL;

std::uint64_t hash_on(std::uint64_t hash, int token) {
  return (hash ^ static_cast<std::uint64_t>(token)) * 1099511628211ULL;
}

}  // namespace

PrefixCache::Entries::iterator PrefixCache::held(std::span<const int> tokens, std::uint64_t hash) {
  const auto [first, last] = by_hash_.equal_range(hash);
  for (auto candidate = first; candidate != last; ++candidate) {
    if (std::ranges::equal(candidate->second->tokens, tokens)) return candidate->second;
  }
  return entries_.end();
}

PrefixCache::Found PrefixCache::find(std::span<const int> tokens, int passes, std::int64_t above) {
  auto best = entries_.end();
  std::uint64_t hash = kHashStart;
  std::size_t hashed = 0;
  for (const auto& [length, count] : lengths_) {
    const auto prefix = static_cast<std::size_t>(length);
    if (prefix > tokens.size()) break;
    while (hashed < prefix) hash = hash_on(hash, tokens[hashed++]);
    if (length <= above) continue;
    const auto entry = held(tokens.first(prefix), hash);
    if (entry != entries_.end() && static_cast<int>(entry->state->size()) >= passes) best = entry;
  }
  if (best == entries_.end()) return {};
  entries_.splice(entries_.begin(), entries_, best);
  return {best->state, static_cast<std::int64_t>(best->tokens.size())};
}

void PrefixCache::insert(std::span<const int> tokens, std::shared_ptr<const PrefixState> state) {
  std::uint64_t hash = kHashStart;
  for (const int token : tokens) hash = hash_on(hash, token);
  const auto same = held(tokens, hash);
  if (same != entries_.end()) {
    if (state->size() >= same->state->size()) same->state = std::move(state);
    entries_.splice(entries_.begin(), entries_, same);
    return;
  }
  entries_.push_front({{tokens.begin(), tokens.end()}, hash, std::move(state)});
  by_hash_.emplace(hash, entries_.begin());
  ++lengths_[static_cast<std::int64_t>(tokens.size())];
}

bool PrefixCache::evict() {
  if (entries_.empty()) return false;
  const auto last = std::prev(entries_.end());
  const auto [first_same, last_same] = by_hash_.equal_range(last->hash);
  by_hash_.erase(std::find_if(first_same, last_same,
                              [&](const auto& candidate) { return candidate.second == last; }));
  const auto length = lengths_.find(static_cast<std::int64_t>(last->tokens.size()));
  if (--length->second == 0) lengths_.erase(length);
  entries_.erase(last);
  return true;
}

}  // namespace fbt
