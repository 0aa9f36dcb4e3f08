#include "harness/tokenizer/bpe_trainer.h"

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "harness/tokenizer/byte_alphabet.h"
#include "harness/tokenizer/tokenizer.h"

namespace fbt::tokenizer {
namespace {

using ::testing::ElementsAre;

std::string train(const std::vector<std::string>& texts, BpeTrainerOptions options) {
  BpeTrainer trainer(std::move(options));
  for (const std::string& text : texts) trainer.add_text(text);
  return trainer.train();
}

std::vector<std::string> merges_of(const std::string& json) {
  return nlohmann::json::parse(json)["model"]["merges"].get<std::vector<std::string>>();
}

// Tokens as byte strings and everything counted afresh for each merge. Ids are
// needed for ties only: by order of appearance, bytes first.
std::vector<std::string> slow_merges(const std::map<std::string, int>& words, std::size_t tokens) {
  std::map<std::string, int> ids;
  for (int byte = 0; byte < 256; ++byte) ids.emplace(std::string(1, static_cast<char>(byte)), byte);
  std::vector<std::pair<std::vector<std::string>, int>> split;
  for (const auto& [word, count] : words) {
    std::vector<std::string> symbols;
    for (const char byte : word) symbols.emplace_back(1, byte);
    split.emplace_back(symbols, count);
  }
  std::vector<std::string> merges;
  while (ids.size() < tokens) {
    std::map<std::pair<int, int>, std::pair<int, std::pair<std::string, std::string>>> counts;
    for (const auto& [symbols, count] : split) {
      for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
        auto& entry = counts[{ids.at(symbols[i]), ids.at(symbols[i + 1])}];
        entry.first += count;
        entry.second = {symbols[i], symbols[i + 1]};
      }
    }
    std::pair<std::string, std::string> best;
    int best_count = 1;
    for (const auto& [pair_ids, entry] : counts) {
      if (entry.first > best_count) std::tie(best_count, best) = entry;
    }
    if (best_count == 1) break;
    merges.push_back(spell_bytes(best.first) + " " + spell_bytes(best.second));
    ids.emplace(best.first + best.second, static_cast<int>(ids.size()));
    for (auto& [symbols, count] : split) {
      for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
        if (symbols[i] != best.first || symbols[i + 1] != best.second) continue;
        symbols[i] += symbols[i + 1];
        symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      }
    }
  }
  return merges;
}

TEST(BpeTrainer, LearnsTheMostFrequentPairFirst) {
  // hug ×3, pug ×1, bun ×2: (u, g) 4 times, then (h, ug) 3, then (b, u) and
  // (u, n) both 2, of which (b, u) has the lower ids.
  const std::string json =
      train({"hug", "hug", "hug", "pug", "bun", "bun"}, {.vocab_size = 258 + 3});
  EXPECT_THAT(merges_of(json), ElementsAre("u g", "h ug", "b u"));
}

TEST(BpeTrainer, EqualsTheSlowTrainerOnRandomWords) {
  std::mt19937 random(7);
  for (int round = 0; round < 60; ++round) {
    std::map<std::string, int> words;
    std::vector<std::string> texts;
    const int letters = 1 + static_cast<int>(random() % 4);
    for (int word = 0; word < 30; ++word) {
      std::string text;
      for (std::size_t i = 0, size = 1 + random() % 12; i < size; ++i) {
        text +=
            static_cast<char>('a' + static_cast<int>(random() % static_cast<unsigned>(letters)));
      }
      ++words[text];
      texts.push_back(text);
    }
    const std::size_t tokens = 256 + random() % 40;
    EXPECT_EQ(merges_of(train(texts, {.vocab_size = static_cast<int>(tokens) + 2})),
              slow_merges(words, tokens))
        << "round " << round;
  }
}

TEST(BpeTrainer, DoesNotDependOnTheOrderOfTexts) {
  std::vector<std::string> texts = {"one two", "three one", "two two three", "four"};
  const std::string json = train(texts, {.vocab_size = 270});
  std::reverse(texts.begin(), texts.end());
  EXPECT_EQ(train(texts, {.vocab_size = 270}), json);
}

TEST(BpeTrainer, StopsWhereNothingIsFrequentEnough) {
  EXPECT_TRUE(merges_of(train({"abc"}, {.vocab_size = 300})).empty());
  EXPECT_THAT(merges_of(train({"abc"}, {.vocab_size = 300, .minimum_count = 1})),
              ElementsAre("a b", "ab c"));
}

TEST(BpeTrainer, WritesATokenizer) {
  const std::vector<std::string> texts = {"the cat sat on the mat, the cat's 1234 mats",
                                          "the 12 cats: naïve €5 \xf0\x9f\x98\x80\n\n  end"};
  const Tokenizer tokenizer = Tokenizer::from_json(
      train(texts, {.vocab_size = 264, .bos = "<s>", .eos = "</s>"}), "trained");
  EXPECT_EQ(tokenizer.bos_id(), 0);
  EXPECT_EQ(tokenizer.token_id("</s>"), 1);
  EXPECT_TRUE(tokenizer.is_special(1));
  EXPECT_EQ(tokenizer.vocab_size(), 264);
  for (const std::string& text : texts) {
    EXPECT_EQ(tokenizer.decode(tokenizer.encode(text)), text);
    EXPECT_LT(tokenizer.encode(text).size(), text.size());
  }
  // One token a digit, whatever was frequent.
  EXPECT_EQ(tokenizer.encode("1234").size(), 4U);
  EXPECT_EQ(tokenizer.encode(" 1").size(), 2U);
}

TEST(BpeTrainer, SpellsNumbersByDigitsOrWhole) {
  for (const int digits : {1, 2}) {
    BpeTrainer trainer({.vocab_size = 300, .digits = digits});
    for (int i = 0; i < 5; ++i) trainer.add_text("12 and 12 and 12");
    const Tokenizer tokenizer = Tokenizer::from_json(trainer.train(), "trained");
    EXPECT_EQ(tokenizer.encode("12").size(), digits == 1 ? 2u : 1u);
    EXPECT_EQ(tokenizer.encode(" 12").size(), tokenizer.encode("12").size() + 1);
  }
}

TEST(BpeTrainer, RefusesAVocabularyWithoutRoomForTheBytes) {
  EXPECT_THROW(BpeTrainer({.vocab_size = 257}), InputError);
  EXPECT_NO_THROW(BpeTrainer({.vocab_size = 258}));
}

}  // namespace
}  // namespace fbt::tokenizer
