#include "harness/tokenizer/regex.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "base/json_lines.h"
#include "base/utf8.h"
#include "harness/tokenizer/unicode_classes.h"
#include "tests/support/paths.h"

namespace fbt::tokenizer {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> matches_of(const Regex& regex, const std::string& text) {
  std::vector<Match> matches;
  regex.find_all(text, matches);
  std::vector<std::string> texts;
  for (const Match match : matches)
    texts.push_back(text.substr(match.begin, match.end - match.begin));
  return texts;
}

TEST(Regex, FindsAllMatchesFromTheLeft) {
  EXPECT_THAT(matches_of(Regex("a+|b"), "aab-ba"), ElementsAre("aa", "b", "b", "a"));
  EXPECT_THAT(matches_of(Regex(R"(\s+(?!\S)|\s+)"), "a   b "), ElementsAre("  ", " ", " "));
  EXPECT_THAT(matches_of(Regex("(?i:'s|'ll)"), "'S'll"), ElementsAre("'S", "'ll"));
  EXPECT_THAT(matches_of(Regex("x"), ""), IsEmpty());
}

TEST(Regex, DropsAnEmptyMatchAtTheEndOfAnother) {
  // At 0 "aa"; the empty match at 2 touches it; at 3 one after the "-".
  EXPECT_THAT(matches_of(Regex("a*"), "aa-"), ElementsAre("aa", ""));
}

TEST(Regex, KnowsPossessiveRepetition) {
  EXPECT_THAT(matches_of(Regex("a++a"), "aaa"), IsEmpty());
  EXPECT_THAT(matches_of(Regex("[^a]?+b"), "b"), IsEmpty());
  EXPECT_THAT(matches_of(Regex("[^a]?b"), "b"), ElementsAre("b"));
}

TEST(Regex, LiteralsMeanThemselves) {
  EXPECT_THAT(matches_of(Regex::literal("a.*"), "a.*aba.*"), ElementsAre("a.*", "a.*"));
  EXPECT_THAT(matches_of(Regex::literal("aa"), "aaa"), ElementsAre("aa"));
}

TEST(Regex, UnderstandsCategoriesInAndOutsideOfBrackets) {
  EXPECT_THAT(matches_of(Regex(R"(\p{Lu}\p{Ll}+)"), "ÉtéÀ la"), ElementsAre("Été"));
  EXPECT_THAT(matches_of(Regex(R"([^\s\p{L}\p{N}]+)"), "a-+ 1?½"), ElementsAre("-+", "?"));
  EXPECT_THAT(matches_of(Regex(R"([^\S\n]+)"), " \n\t"), ElementsAre(" ", "\t"));
  EXPECT_THAT(matches_of(Regex(R"(\P{L}+)"), "a1b"), ElementsAre("1"));
  EXPECT_THAT(matches_of(Regex(R"(\p{^L}+)"), "a1b"), ElementsAre("1"));
  EXPECT_THAT(matches_of(Regex(R"(\p{Han}+)"), "a漢字"), ElementsAre("漢字"));
  EXPECT_THAT(matches_of(Regex(R"(\\s)"), "\\s "), ElementsAre("\\s"));
}

TEST(Regex, NamesWhatIsWrongWithAPattern) {
  try {
    Regex("a(b");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("'a(b'"));
    EXPECT_THAT(error.what(), HasSubstr("end pattern with unmatched parenthesis"));
  }
}

TEST(Regex, GivesUpOnPatternsThatBacktrackWithoutBounds) {
  const std::string text(40, 'a');
  std::vector<Match> matches;
  EXPECT_THROW(Regex("(a|aa)+b").find_all(text + "c", matches), InputError);
}

TEST(Regex, TakesLongRunsOfWhiteSpace) {
  const std::string text = "a" + std::string(1 << 20, ' ') + "b";
  const Regex pattern(R"(\p{L}+|\s*[\r\n]+|\s+(?!\S)|\s+)");
  std::vector<Match> matches;
  pattern.find_all(text, matches);
  EXPECT_EQ(matches.size(), 4U);  // a, all spaces but one, the last space, b
}

// The classes of the regular expressions that made the golden ids, over all of Unicode.
TEST(Regex, ClassesEqualTheReference) {
  FBT_REQUIRE_SHARED("golden/tokenizers");
  const auto file = fbt::testing::shared_dir() / "golden/tokenizers/unicode_classes.json";
  const auto reference = parse_json(read_file(file), file.string());
  std::string all;
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (c < 0xD800 || c > 0xDFFF) append_utf8(all, c);
  }
  const std::pair<const char*, const char*> classes[] = {
      {"L", R"(\p{L}+)"}, {"N", R"(\p{N}+)"}, {"S", R"(\s+)"}};
  for (const auto& [name, pattern] : classes) {
    std::string expected;
    for (const auto& range : reference[name]) {
      for (auto c = range[0].get<char32_t>(); c <= range[1].get<char32_t>(); ++c) {
        append_utf8(expected, c);
      }
    }
    std::string found;
    for (const std::string& match : matches_of(Regex(pattern), all)) found += match;
    EXPECT_TRUE(found == expected) << name;
  }
}

TEST(UnicodeClasses, KnowWordsNumbersAndSigns) {
  for (const char32_t c : {U'a', U'é', U'漢', U'_', U'3', U'\x301', U'\x2160', U'\x24D0'}) {
    EXPECT_TRUE(is_word_character(c)) << static_cast<int>(c);
  }
  for (const char32_t c : {U' ', U'-', U'€', U'½', U'\xA0'}) {
    EXPECT_FALSE(is_word_character(c)) << static_cast<int>(c);
  }
  EXPECT_TRUE(is_number(U'½') && is_number(U'٣') && !is_number(U'a'));
  EXPECT_TRUE(is_punctuation(U'$') && is_punctuation(U'«') && !is_punctuation(U'€'));
  EXPECT_TRUE(is_white_space(U'\x3000') && is_white_space(U'\x85') && !is_white_space(U'\xFEFF'));
  EXPECT_EQ(general_category(U'\x1E5D0'), "Lo");  // since Unicode 16
  EXPECT_THAT(category_ranges("Xx"), IsEmpty());
}

}  // namespace
}  // namespace fbt::tokenizer
