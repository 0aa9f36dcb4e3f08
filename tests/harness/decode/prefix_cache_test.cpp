#include "harness/decode/prefix_cache.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

namespace fbt {
namespace {

std::shared_ptr<const PrefixState> state_of(std::size_t passes) {
  return std::make_shared<PrefixState>(passes, PassState{KvSequence(nullptr), {}});
}

TEST(PrefixCache, FindsTheLongestPrefixWithEnoughPasses) {
  PrefixCache cache;
  cache.insert(std::vector{1, 2}, state_of(3));
  cache.insert(std::vector{1, 2, 3, 4}, state_of(1));
  cache.insert(std::vector{2}, state_of(1));
  const std::vector<int> tokens = {1, 2, 3, 4, 5};
  EXPECT_EQ(cache.find(tokens, 1, 0).length, 4);
  EXPECT_EQ(cache.find(tokens, 2, 0).length, 2);
  EXPECT_EQ(cache.find(tokens, 4, 0).state, nullptr);
  EXPECT_EQ(cache.find(tokens, 1, 4).state, nullptr);
  EXPECT_EQ(cache.find(std::vector{1, 2, 3}, 1, 0).length, 2);
  EXPECT_EQ(cache.find(std::vector{3, 1, 2}, 1, 0).state, nullptr);
}

TEST(PrefixCache, TheLeastRecentlyUsedGoesFirst) {
  PrefixCache cache;
  for (const int token : {1, 2, 3}) cache.insert(std::vector{token}, state_of(1));
  EXPECT_NE(cache.find(std::vector{1, 9}, 1, 0).state, nullptr);  // used again
  cache.insert(std::vector{2}, state_of(1));                      // and again
  EXPECT_TRUE(cache.evict());
  EXPECT_EQ(cache.find(std::vector{3}, 1, 0).state, nullptr);
  EXPECT_TRUE(cache.evict());
  EXPECT_EQ(cache.find(std::vector{1}, 1, 0).state, nullptr);
  EXPECT_NE(cache.find(std::vector{2}, 1, 0).state, nullptr);
  EXPECT_TRUE(cache.evict());
  EXPECT_FALSE(cache.evict());
}

TEST(PrefixCache, KeepsTheStateWithMorePasses) {
  PrefixCache cache;
  cache.insert(std::vector{1}, state_of(1));
  cache.insert(std::vector{1}, state_of(2));
  cache.insert(std::vector{1}, state_of(1));
  EXPECT_EQ(cache.size(), 1U);
  EXPECT_NE(cache.find(std::vector{1}, 2, 0).state, nullptr);
}

// Against a list that is searched from end to end.
TEST(PrefixCache, FindsWhatASearchOfAllEntriesFinds) {
  std::mt19937 random(5);
  const auto draw = [&] {
    std::vector<int> tokens(1 + random() % 6);
    for (int& token : tokens) token = static_cast<int>(random() % 2);
    return tokens;
  };
  PrefixCache cache;
  std::vector<std::pair<std::vector<int>, std::size_t>> all;  // tokens, passes; oldest first
  for (int round = 0; round < 5000; ++round) {
    const std::vector<int> tokens = draw();
    const std::size_t passes = 1 + random() % 3;
    const auto place = [&](const std::vector<int>& wanted) {
      return std::find_if(all.begin(), all.end(),
                          [&](const auto& entry) { return entry.first == wanted; });
    };
    switch (random() % 3) {
      case 0: {
        std::size_t kept = passes;
        if (const auto known = place(tokens); known != all.end()) {
          kept = std::max(kept, known->second);
          all.erase(known);
        }
        all.emplace_back(tokens, kept);
        cache.insert(tokens, state_of(passes));
        break;
      }
      case 1: {
        auto best = all.end();
        for (auto entry = all.begin(); entry != all.end(); ++entry) {
          const bool is_prefix =
              entry->first.size() <= tokens.size() &&
              std::equal(entry->first.begin(), entry->first.end(), tokens.begin());
          if (!is_prefix || entry->second < passes) continue;
          if (best == all.end() || entry->first.size() > best->first.size()) best = entry;
        }
        const auto found = cache.find(tokens, static_cast<int>(passes), 0);
        ASSERT_EQ(found.state != nullptr, best != all.end());
        if (best == all.end()) break;
        ASSERT_EQ(found.length, static_cast<std::int64_t>(best->first.size()));
        std::rotate(best, best + 1, all.end());
        break;
      }
      default:
        if (random() % 4 != 0) break;
        ASSERT_EQ(cache.evict(), !all.empty());
        if (!all.empty()) all.erase(all.begin());
    }
    ASSERT_EQ(cache.size(), all.size());
  }
}

}  // namespace
}  // namespace fbt
