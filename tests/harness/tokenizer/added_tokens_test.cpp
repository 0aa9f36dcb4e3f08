#include "harness/tokenizer/added_tokens.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/tokenizer/token_matcher.h"
#include "tests/harness/tokenizer/small_tokenizer.h"

namespace fbt::tokenizer {
namespace {

using fbt::testing::added_token;
using ::testing::ElementsAre;

// Braces alone could also mean an object.
nlohmann::json array(nlohmann::json::initializer_list_t tokens) {
  return nlohmann::json::array(tokens);
}

// Segments as text, tokens in angle brackets.
std::vector<std::string> split(const nlohmann::json& tokens, std::string_view text,
                               bool parse_special = true, bool normalized = false) {
  const AddedTokens added(read_added_tokens(JsonNode(tokens, "added_tokens")), nullptr);
  std::vector<std::string> result;
  for (const Segment& segment : normalized ? added.split_normalized(text, parse_special)
                                           : added.split_given(text, parse_special)) {
    result.push_back(segment.token == nullptr ? std::string(segment.text)
                                              : "<" + std::string(segment.text) + ">" +
                                                    std::to_string(segment.token->id));
  }
  return result;
}

TEST(AddedTokens, AreFoundWhereverTheyStand) {
  EXPECT_THAT(split(array({added_token(7, "[X]")}), "a[X][X] b"),
              ElementsAre("a", "<[X]>7", "<[X]>7", " b"));
  EXPECT_THAT(split(array({added_token(7, "[X]")}), "[X"), ElementsAre("[X"));
  EXPECT_THAT(split(array({added_token(7, "[X]")}), ""), ElementsAre());
}

TEST(AddedTokens, LongestOfThoseThatBeginThereWins) {
  const nlohmann::json tokens =
      array({added_token(1, "aa"), added_token(2, "aaaa"), added_token(3, "a")});
  EXPECT_THAT(split(tokens, "aaaaaaab"), ElementsAre("<aaaa>2", "<aa>1", "<a>3", "b"));
}

TEST(AddedTokens, SpecialOnesAreTextOnRequest) {
  const nlohmann::json tokens =
      array({added_token(1, "<s>"), added_token(2, "<t>", {{"special", false}})});
  EXPECT_THAT(split(tokens, "<s>a<t>", false), ElementsAre("<s>a", "<<t>>2"));
}

TEST(AddedTokens, StripTakesWhiteSpaceAlong) {
  const auto left = added_token(1, "L", {{"lstrip", true}});
  const auto right = added_token(2, "R", {{"rstrip", true}});
  EXPECT_THAT(split(array({left}), "a \t\xC2\xA0L b"), ElementsAre("a", "< \t\xC2\xA0L>1", " b"));
  EXPECT_THAT(split(array({right}), "a R \n b"), ElementsAre("a ", "<R \n >2", "b"));
  // White space between two belongs to the first.
  EXPECT_THAT(split(array({right, left}), "R L"), ElementsAre("<R >2", "<L>1"));
}

TEST(AddedTokens, SingleWordNeedsBordersOnBothSides) {
  const nlohmann::json tokens = array({added_token(1, "cat", {{"single_word", true}})});
  EXPECT_THAT(split(tokens, "cat, a cat"), ElementsAre("<cat>1", ", a ", "<cat>1"));
  EXPECT_THAT(split(tokens, "cats bobcat cat\xC3\xA9 cat_"),
              ElementsAre("cats bobcat cat\xC3\xA9 cat_"));
}

TEST(AddedTokens, NormalizedOnesWaitForTheNormalizedText) {
  const nlohmann::json tokens =
      array({added_token(1, "N", {{"normalized", true}}), added_token(2, "G")});
  EXPECT_THAT(split(tokens, "NG", true, false), ElementsAre("N", "<G>2"));
  EXPECT_THAT(split(tokens, "NG", true, true), ElementsAre("<N>1", "G"));
}

TEST(TokenMatcher, EqualsTheObviousSearch) {
  std::mt19937 random(3);
  const auto random_text = [&](std::size_t longest) {
    std::string text(1 + random() % longest, 'a');
    for (char& c : text) c = "ab\xFF"[random() % 3];
    return text;
  };
  for (int round = 0; round < 2000; ++round) {
    std::vector<TokenMatcher::Needle> needles;
    for (std::size_t i = 0, count = random() % 6; i < count; ++i)
      needles.push_back({random_text(4), i});
    const std::string text = random_text(12);

    TokenMatch expected;
    bool expected_found = false;
    for (std::size_t at = 0; at < text.size() && !expected_found; ++at) {
      for (const auto& needle : needles) {
        if (text.compare(at, needle.text.size(), needle.text) != 0) continue;
        if (expected_found && needle.text.size() <= expected.end - at) continue;
        expected = {at, at + needle.text.size(), needle.index};
        expected_found = true;
      }
    }
    TokenMatch match;
    ASSERT_EQ(TokenMatcher(needles).find(text, 0, match), expected_found);
    EXPECT_EQ(match.begin, expected.begin);
    EXPECT_EQ(match.end, expected.end);
    EXPECT_EQ(match.index, expected.index);
  }
}

}  // namespace
}  // namespace fbt::tokenizer
