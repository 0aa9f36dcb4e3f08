#include "harness/tokenizer/pair_counts.h"

#include <functional>
#include <set>
#include <utility>

namespace fbt::tokenizer {
namespace {

template <typename Visit>
void for_each_pair(const std::vector<int>& tokens, const Visit& visit) {
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) visit(TokenPair{tokens[i], tokens[i + 1]});
}

// False where the word does not hold the pair.
bool replace_pair(std::vector<int>& tokens, TokenPair pair, int token) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (i + 1 < tokens.size() && TokenPair{tokens[i], tokens[i + 1]} == pair) {
      tokens[kept++] = token;
      ++i;
    } else {
      tokens[kept++] = tokens[i];
    }
  }
  const bool found = kept < tokens.size();
  tokens.resize(kept);
  return found;
}

}  // namespace

std::size_t PairCounts::PairHash::operator()(const TokenPair& pair) const {
  const auto key =
      static_cast<std::uint64_t>(pair.left) << 32 | static_cast<std::uint32_t>(pair.right);
  return std::hash<std::uint64_t>{}(key * 0x9E3779B97F4A7C15ULL);
}

PairCounts::PairCounts(std::vector<CountedWord> words) : words_(std::move(words)) {
  for (std::size_t i = 0; i < words_.size(); ++i) count_word(i, +1);
  for (const auto& [pair, occurrences] : pairs_) candidates_.push({occurrences.count, pair});
}

std::optional<TokenPair> PairCounts::most_frequent(std::int64_t minimum_count) {
  while (!candidates_.empty() && candidates_.top().count >= minimum_count) {
    const Candidate best = candidates_.top();
    const std::int64_t count = pairs_[best.pair].count;
    if (count == best.count) return best.pair;
    candidates_.pop();
    if (count < best.count) candidates_.push({count, best.pair});
  }
  return std::nullopt;
}

void PairCounts::merge(TokenPair pair, int token) {
  const std::vector<std::size_t> words = std::move(pairs_[pair].words);
  std::set<TokenPair> grown;  // only pairs with `token` can have become more frequent
  for (const std::size_t index : words) {
    std::vector<int> tokens = words_[index].tokens;
    if (!replace_pair(tokens, pair, token)) continue;
    count_word(index, -1);
    words_[index].tokens = std::move(tokens);
    count_word(index, +1);
    for_each_pair(words_[index].tokens, [&](TokenPair neighbours) {
      if (neighbours.left == token || neighbours.right == token) grown.insert(neighbours);
    });
  }
  for (const TokenPair& neighbours : grown) {
    candidates_.push({pairs_[neighbours].count, neighbours});
  }
}

void PairCounts::count_word(std::size_t index, std::int64_t sign) {
  for_each_pair(words_[index].tokens, [&](TokenPair pair) {
    Occurrences& occurrences = pairs_[pair];
    occurrences.count += sign * words_[index].count;
    auto& words = occurrences.words;
    if (sign > 0 && (words.empty() || words.back() != index)) words.push_back(index);
  });
}

}  // namespace fbt::tokenizer
