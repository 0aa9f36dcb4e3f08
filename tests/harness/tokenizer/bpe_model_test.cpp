#include "harness/tokenizer/bpe_model.h"

#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/tokenizer/byte_alphabet.h"

namespace fbt::tokenizer {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A model over the letters a, b, c with random merges, and the same model as
// plain lists for the slow encoder.
struct RandomModel {
  std::vector<VocabularyEntry> entries;
  std::vector<std::pair<std::string, std::string>> merges;
  std::map<std::string, int> ids;

  RandomModel(std::mt19937& random, std::size_t merge_count) {
    for (const char* letter : {"a", "b", "c"}) add(letter);
    for (std::size_t i = 0; i < merge_count; ++i) {
      const std::string left = entries[random() % entries.size()].content;
      const std::string right = entries[random() % entries.size()].content;
      merges.emplace_back(left, right);
      add(left + right);
    }
  }

  void add(const std::string& content) {
    if (ids.emplace(content, static_cast<int>(entries.size())).second) {
      entries.push_back({content, static_cast<int>(entries.size())});
    }
  }

  // A pair given twice has its later rank, as in Hugging Face's library.
  MergeTable table() const {
    MergeTable table(merges.size());
    for (std::size_t rank = 0; rank < merges.size(); ++rank) {
      const auto& [left, right] = merges[rank];
      table.insert(ids.at(left), ids.at(right),
                   {static_cast<std::uint32_t>(rank), ids.at(left + right)});
    }
    return table;
  }

  // Merge by merge: looks for the lowest rank at every step.
  std::vector<int> encode_slowly(const std::string& text) const {
    std::map<std::pair<std::string, std::string>, std::size_t> ranks;
    for (std::size_t rank = 0; rank < merges.size(); ++rank) ranks[merges[rank]] = rank;
    std::vector<std::string> symbols;
    for (const char c : text) symbols.emplace_back(1, c);
    while (true) {
      std::size_t best = merges.size();
      std::size_t best_at = 0;
      for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
        const auto rank = ranks.find({symbols[i], symbols[i + 1]});
        if (rank != ranks.end() && rank->second < best) {
          best = rank->second;
          best_at = i;
        }
      }
      if (best == merges.size()) break;
      symbols[best_at] += symbols[best_at + 1];
      symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(best_at) + 1);
    }
    std::vector<int> result;
    for (const std::string& symbol : symbols) result.push_back(ids.at(symbol));
    return result;
  }
};

std::vector<int> ids_of(const std::vector<VocabularyEntry>& entries) {
  std::vector<int> ids;
  for (const VocabularyEntry& entry : entries) ids.push_back(entry.id);
  return ids;
}

std::vector<int> encode(const BpeModel& model, std::string_view text) {
  std::vector<int> ids;
  BpeModel::Workspace workspace;
  model.encode(text, ids, workspace);
  return ids;
}

TEST(BpeModel, EqualsTheSlowEncoderOnRandomVocabularies) {
  std::mt19937 random(11);
  for (int round = 0; round < 300; ++round) {
    const RandomModel random_model(random, random() % 30);
    const Vocabulary vocabulary(random_model.entries);
    const BpeModel model(vocabulary, ids_of(random_model.entries), random_model.table(),
                         {.byte_level = round % 2 == 0});
    for (int i = 0; i < 20; ++i) {
      std::string text(random() % 40, 'a');
      for (char& c : text) c = static_cast<char>('a' + static_cast<int>(random() % 3));
      ASSERT_EQ(encode(model, text), random_model.encode_slowly(text)) << round << " " << text;
    }
    // Tokens themselves: some are found whole, some are not what their merges give.
    for (const VocabularyEntry& entry : random_model.entries) {
      ASSERT_EQ(encode(model, entry.content), random_model.encode_slowly(entry.content));
    }
  }
}

const std::vector<VocabularyEntry> kLetters = {
    {"a", 0}, {"b", 1}, {"ab", 2}, {"<unk>", 3}, {"abb", 4}, {"<0xC3>", 5}, {"<0xA9>", 6}};

BpeModel letters(BpeOptions options) {
  const Vocabulary vocabulary(kLetters);
  MergeTable merges(1);
  merges.insert(0, 1, {0, 2});
  return BpeModel(vocabulary, ids_of(kLetters), std::move(merges), options);
}

TEST(BpeModel, IgnoresMergesForWholeTokensOnRequest) {
  EXPECT_THAT(encode(letters({}), "abb"), ElementsAre(2, 1));
  EXPECT_THAT(encode(letters({.ignore_merges = true}), "abb"), ElementsAre(4));
  EXPECT_THAT(encode(letters({.ignore_merges = true}), "abba"), ElementsAre(2, 1, 0));
}

TEST(BpeModel, UnknownCharactersBecomeBytesOrUnknownOrNothing) {
  EXPECT_THAT(encode(letters({}), "xay"), ElementsAre(0));
  EXPECT_THAT(encode(letters({}), "x"), IsEmpty());
  EXPECT_THAT(encode(letters({.unknown = 3}), "xxay"), ElementsAre(3, 3, 0, 3));
  EXPECT_THAT(encode(letters({.fuse_unk = true, .unknown = 3}), "xxay"), ElementsAre(3, 0, 3));
  EXPECT_THAT(encode(letters({.byte_fallback = true, .unknown = 3}), "\xC3\xA9x"),
              ElementsAre(5, 6, 3));
  // All of a character's bytes or none.
  EXPECT_THAT(encode(letters({.byte_fallback = true, .unknown = 3}), "\xC3\xAA"), ElementsAre(3));
}

TEST(BpeModel, MergesAcrossDroppedCharacters) {
  EXPECT_THAT(encode(letters({}), "axb"), ElementsAre(2));
}

TEST(ByteAlphabet, SpellsEveryByteAsOneCharacterAndBack) {
  for (int byte = 0; byte < 256; ++byte) {
    const std::string text(1, static_cast<char>(byte));
    EXPECT_EQ(unspell_bytes(spell_bytes(text)), text);
  }
  EXPECT_EQ(spell_bytes(" a\n\xC3"), "ĠaĊÃ");
  EXPECT_EQ(unspell_bytes("€"), std::nullopt);
  EXPECT_EQ(unspell_bytes(" "), std::nullopt);
}

}  // namespace
}  // namespace fbt::tokenizer
