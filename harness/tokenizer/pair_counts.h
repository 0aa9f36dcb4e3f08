#pragma once

// How often each pair of adjacent tokens stands in a set of counted words, kept
// up to date while pairs are merged.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <queue>
#include <unordered_map>
#include <vector>

namespace fbt::tokenizer {

struct TokenPair {
  int left;
  int right;
  auto operator<=>(const TokenPair&) const = default;
};

struct CountedWord {
  std::vector<int> tokens;
  std::int64_t count;
};

class PairCounts {
 public:
  explicit PairCounts(std::vector<CountedWord> words);

  // The most frequent pair, of equals the one with the lowest ids; nothing
  // where none is as frequent as `minimum_count`.
  std::optional<TokenPair> most_frequent(std::int64_t minimum_count);

  // Replaces the pair by `token` in all words, from each word's left.
  void merge(TokenPair pair, int token);

 private:
  struct Occurrences {
    std::int64_t count = 0;
    std::vector<std::size_t> words;  // that hold the pair or once did
  };
  struct Candidate {
    std::int64_t count;
    TokenPair pair;
    // Whether `other` is the better choice: std::priority_queue's order.
    bool operator<(const Candidate& other) const {
      return count != other.count ? count < other.count : other.pair < pair;
    }
  };
  struct PairHash {
    std::size_t operator()(const TokenPair& pair) const;
  };

  // Adds `sign` times the word's pairs to the counts.
  void count_word(std::size_t index, std::int64_t sign);

  std::vector<CountedWord> words_;
  std::unordered_map<TokenPair, Occurrences, PairHash> pairs_;
  // Holds every pair at its present count or a higher one it once had.
  std::priority_queue<Candidate> candidates_;
};

}  // namespace fbt::tokenizer
