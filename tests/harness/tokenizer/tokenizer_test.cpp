#include "harness/tokenizer/tokenizer.h"

#include <algorithm>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "base/utf8.h"
#include "harness/tokenizer/incremental_detokenizer.h"
#include "tests/harness/tokenizer/small_tokenizer.h"
#include "tests/support/paths.h"

namespace fbt {
namespace {

using testing::added_token;
using ::testing::AllOf;
using testing::byte_fallback_json;
using testing::byte_level_json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::make_tokenizer;
using ::testing::Not;
using ::testing::StartsWith;

std::string random_text(std::mt19937& random) {
  const char* const parts[] = {"a", "b", "ab", " ", "  ", "\n", "é", "€", "😀", "1", "'s", "<s>"};
  std::string text;
  for (std::size_t i = 0, size = random() % 20; i < size; ++i) text += parts[random() % 12];
  return text;
}

TEST(Tokenizer, ByteLevelGivesEveryTextBack) {
  const Tokenizer tokenizer = make_tokenizer(byte_level_json());
  std::mt19937 random(5);
  for (int i = 0; i < 2000; ++i) {
    const std::string text = random_text(random);
    ASSERT_EQ(tokenizer.decode(tokenizer.encode(text)), text);
  }
}

TEST(Tokenizer, ByteFallbackGivesEveryTextBack) {
  const Tokenizer tokenizer = make_tokenizer(byte_fallback_json());
  std::mt19937 random(6);
  for (int i = 0; i < 2000; ++i) {
    const std::string text = random_text(random);
    ASSERT_EQ(tokenizer.decode(tokenizer.encode(text, false)), text);
  }
}

TEST(Tokenizer, EncodesByHand) {
  const Tokenizer bytes = make_tokenizer(byte_level_json());
  EXPECT_THAT(bytes.encode("ab ab b"), ElementsAre(256, 258, ' ', 'b'));
  const Tokenizer fallback = make_tokenizer(byte_fallback_json());
  EXPECT_THAT(fallback.encode("ab é€"), ElementsAre(265, 259, 262, 3 + 0xE2, 3 + 0x82, 3 + 0xAC));
  EXPECT_THAT(fallback.encode("<s>a"), ElementsAre(1, 263));
  EXPECT_THAT(fallback.encode(""), ElementsAre());
}

TEST(Tokenizer, InvalidBytesCountAsReplacementCharacters) {
  const Tokenizer tokenizer = make_tokenizer(byte_level_json());
  EXPECT_EQ(tokenizer.encode("a\xFF"), tokenizer.encode("a\xEF\xBF\xBD"));
}

TEST(Tokenizer, DecodesIdsThatNameNoTokenToNothing) {
  const Tokenizer tokenizer = make_tokenizer(byte_level_json());
  EXPECT_EQ(tokenizer.decode(std::vector<int>{'a', -1, 100000, 'b'}), "ab");
}

TEST(Tokenizer, KnowsItsTokens) {
  auto json = byte_fallback_json();
  json["post_processor"] = {
      {"type", "TemplateProcessing"},
      {"single",
       {{{"SpecialToken", {{"id", "<s>"}, {"type_id", 0}}}},
        {{"Sequence", {{"id", "A"}, {"type_id", 0}}}}}},
      {"special_tokens", {{"<s>", {{"id", "<s>"}, {"ids", {1}}, {"tokens", {"<s>"}}}}}}};
  json["added_tokens"].push_back(added_token(300, "<x>", {{"special", false}}));
  const Tokenizer tokenizer = make_tokenizer(json);
  EXPECT_EQ(tokenizer.bos_id(), 1);
  EXPECT_EQ(tokenizer.token_id("</s>"), 2);
  EXPECT_EQ(tokenizer.token_id("▁ab"), 265);
  EXPECT_EQ(tokenizer.token_id("nothing"), std::nullopt);
  EXPECT_EQ(tokenizer.vocab_size(), 301);
  EXPECT_TRUE(tokenizer.has_token(300) && !tokenizer.has_token(299) && !tokenizer.has_token(-1));
  EXPECT_TRUE(tokenizer.is_special(2) && !tokenizer.is_special(300) && !tokenizer.is_special(260));
  EXPECT_EQ(tokenizer.token_bytes(265), " ab");
  EXPECT_EQ(tokenizer.token_bytes(3 + 0xC3), "\xC3");
  EXPECT_EQ(tokenizer.token_bytes(2), "</s>");
  EXPECT_EQ(tokenizer.decode(std::vector<int>{1, 263, 300, 2}), "<s> a<x></s>");
  EXPECT_EQ(tokenizer.decode(std::vector<int>{1, 263, 300, 2}, true), "a<x>");
  EXPECT_EQ(make_tokenizer(byte_level_json()).bos_id(), std::nullopt);
}

TEST(Tokenizer, LongRunsOfOneCharacterEndSoon) {
  // Quadratic work on a million symbols would take hours.
  const std::string run(1 << 20, 'a');
  for (const auto& json : {byte_level_json(), byte_fallback_json()}) {
    const Tokenizer tokenizer = make_tokenizer(json);
    for (const char c : {'a', ' ', '\n'}) {
      const std::string text(1 << 20, c);
      EXPECT_EQ(tokenizer.decode(tokenizer.encode(text)), text);
    }
  }
}

TEST(Tokenizer, ManyThreadsEncodeAtOnce) {
  const Tokenizer tokenizer = make_tokenizer(byte_level_json());
  const std::string text = "ab ab\n123 é";
  const std::vector<int> expected = tokenizer.encode(text);
  std::vector<std::thread> threads;
  std::vector<int> wrong(4);
  for (std::size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 500; ++i) wrong[t] += tokenizer.encode(text) != expected;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(wrong, ElementsAre(0, 0, 0, 0));
}

TEST(IncrementalDetokenizer, NeverSplitsACharacter) {
  const Tokenizer tokenizer = make_tokenizer(byte_level_json());
  IncrementalDetokenizer detokenizer(tokenizer);
  EXPECT_EQ(detokenizer.push(0xE2), "");
  EXPECT_EQ(detokenizer.push(0x82), "");
  EXPECT_EQ(detokenizer.push(0xAC), "€");
  EXPECT_EQ(detokenizer.push(0xE2), "");
  EXPECT_EQ(detokenizer.push('a'),
            "\xE2"
            "a");  // it can no longer become a character
  EXPECT_EQ(detokenizer.push(0xC3), "");
  EXPECT_EQ(detokenizer.flush(), "\xC3");
  EXPECT_EQ(detokenizer.push('b'), "b");
}

// Whether one multi-byte character of `text` has bytes on both sides of `border`.
// Text from random ids is seldom valid as a whole, but a lead byte with all its
// continuation bytes is a character wherever it stands.
bool splits_a_character(std::string_view text, std::size_t border) {
  for (std::size_t back = 1; back <= 3 && back <= border; ++back) {
    const std::string_view rest = text.substr(border - back);
    for (std::size_t size = back + 1; size <= 4 && size <= rest.size(); ++size) {
      const std::string_view character = rest.substr(0, size);
      const auto is_continuation = [](char c) { return (c & 0xC0) == 0x80; };
      if (is_valid_utf8(character) &&
          std::all_of(character.begin() + 1, character.end(), is_continuation)) {
        return true;
      }
    }
  }
  return false;
}

TEST(IncrementalDetokenizer, EqualsTheWholeForAnyIds) {
  std::mt19937 random(9);
  for (const auto& json : {byte_level_json(), byte_fallback_json()}) {
    const Tokenizer tokenizer = make_tokenizer(json);
    for (int round = 0; round < 2000; ++round) {
      std::vector<int> ids;
      for (std::size_t i = 0, size = random() % 12; i < size; ++i) {
        ids.push_back(static_cast<int>(random() % 270));
      }
      const bool skip_special = round % 2 == 0;
      IncrementalDetokenizer detokenizer(tokenizer, skip_special);
      std::string text;
      std::vector<std::size_t> borders;
      for (const int id : ids) {
        text += detokenizer.push(id);
        borders.push_back(text.size());
      }
      text += detokenizer.flush();
      ASSERT_EQ(text, tokenizer.decode(ids, skip_special));
      for (const std::size_t border : borders) ASSERT_FALSE(splits_a_character(text, border));
    }
  }
}

// A file with one thing wrong, and what the message must name.
struct BadFile {
  const char* name;
  const char* patch;  // JSON merge patch on the byte-level file
  const char* message;
};

TEST(TokenizerJson, RefusesBadFilesByName) {
  const BadFile cases[] = {
      {"no model", R"({"model": null})", "small.json: 'model' is missing"},
      {"other model", R"({"model": {"type": "Unigram"}})", "model.type: 'Unigram model'"},
      {"other model", R"({"model": {"type": "WordPiece"}})", "'WordPiece model' is not supported"},
      {"no vocabulary", R"({"model": {"vocab": null}})", "'vocab' should be an object"},
      {"vocabulary is a list", R"({"model": {"vocab": ["a"]}})", "'vocab' should be an object"},
      {"id is negative", R"({"model": {"vocab": {"a": -1}}})", "the id of 'a'"},
      {"id is too large", R"({"model": {"vocab": {"a": 4000000000}}})", "the id of 'a'"},
      {"id is a string", R"({"model": {"vocab": {"a": "1"}}})", "the id of 'a'"},
      {"one id twice", R"({"model": {"vocab": {"zz": 5}}})", "id 5 names both"},
      {"no merges", R"({"model": {"merges": null}})", "'merges'"},
      {"merges are an object", R"({"model": {"merges": {}}})", "merges: should be an array"},
      {"merge of one", R"({"model": {"merges": ["ab"]}})", "merge 0 should be two tokens"},
      {"merge of three", R"({"model": {"merges": ["a b", "a b c"]}})", "merge 1 should be two"},
      {"merge of three", R"({"model": {"merges": [["a", "b", "c"]]}})", "merge 0 should be two"},
      {"merge of numbers", R"({"model": {"merges": [[1, 2]]}})", "merge 0 should be two tokens"},
      {"merge of nothing known", R"({"model": {"merges": ["a zz"]}})", "the token 'azz'"},
      {"merge makes nothing known", R"({"model": {"merges": ["b b"]}})", "the token 'bb'"},
      {"dropout", R"({"model": {"dropout": 0.1}})", "dropout"},
      {"suffix", R"({"model": {"end_of_word_suffix": "</w>"}})", "end_of_word_suffix"},
      {"prefix", R"({"model": {"continuing_subword_prefix": "##"}})", "continuing_subword_prefix"},
      {"unknown token unknown", R"({"model": {"unk_token": "<unk>"}})", "unk_token"},
      {"flag is a number", R"({"model": {"ignore_merges": 1}})", "ignore_merges: should be true"},
      {"fallback", R"({"model": {"byte_fallback": true}})", "byte_fallback under ByteLevel"},
      {"added tokens", R"({"added_tokens": {}})", "added_tokens: should be an array"},
      {"added without id", R"({"added_tokens": [{"content": "x"}]})", "added_tokens[0]: 'id'"},
      {"added without content", R"({"added_tokens": [{"id": 999}]})", "'content' is missing"},
      {"added, empty", R"({"added_tokens": [{"id": 999, "content": ""}]})", "not be empty"},
      {"added, id taken", R"({"added_tokens": [{"id": 5, "content": "x"}]})", "id 5 names both"},
      {"added, two ids", R"({"added_tokens": [{"id": 999, "content": "ab"}]})",
       "'ab' has the ids 256 and 999"},
      {"normalizer", R"({"normalizer": {"type": "BertNormalizer"}})", "BertNormalizer normalizer"},
      {"pre-tokenizer", R"({"pre_tokenizer": {"type": "UnicodeScripts"}})", "UnicodeScripts"},
      {"decoder", R"({"decoder": {"type": "CTC"}})", "CTC decoder"},
      {"post-processor", R"({"post_processor": {"type": "BertProcessing"}})", "BertProcessing"},
      {"EOS template",
       R"({"post_processor": {"type": "TemplateProcessing", "special_tokens": {}, "single": [
           {"Sequence": {"id": "A"}}, {"SpecialToken": {"id": "x"}}]}})",
       "token after the text"},
      {"template without its token",
       R"({"post_processor": {"type": "TemplateProcessing", "special_tokens": {}, "single": [
           {"SpecialToken": {"id": "x"}}, {"Sequence": {"id": "A"}}]}})",
       "'x' is missing"},
      {"BOS that is no token",
       R"({"post_processor": {"type": "TemplateProcessing",
           "special_tokens": {"x": {"ids": [5000]}}, "single": [
           {"SpecialToken": {"id": "x"}}, {"Sequence": {"id": "A"}}]}})",
       "5000"},
  };
  for (const BadFile& bad : cases) {
    auto json = byte_level_json();
    json.merge_patch(nlohmann::json::parse(bad.patch));
    try {
      make_tokenizer(json);
      ADD_FAILURE() << bad.name;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(),
                  AllOf(StartsWith("small.json: "), HasSubstr(bad.message), Not(HasSubstr("\n"))))
          << bad.name;
    }
  }
}

TEST(TokenizerJson, RefusesMalformedText) {
  const std::string whole = byte_level_json().dump();
  for (const std::string& text :
       {std::string(), std::string("["), whole.substr(0, whole.size() / 2), whole + "x",
        std::string("{\"model\": 1e999}"), std::string("{\"a\": \"\xFF\"}"), std::string("[]"),
        std::string("3")}) {
    EXPECT_THROW(Tokenizer::from_json(text, "x.json"), InputError) << text.substr(0, 40);
  }
}

TEST(TokenizerJson, ReadsAFileOrItsFolder) {
  const testing::TemporaryFolder folder;
  const auto file = folder.path() / "tokenizer.json";
  write_file_atomically(file, byte_level_json().dump());
  EXPECT_EQ(Tokenizer::load(file).vocab_size(), 259);
  EXPECT_EQ(Tokenizer::load(folder.path()).vocab_size(), 259);
  EXPECT_THROW(Tokenizer::load(folder.path() / "missing"), InputError);
}

TEST(TokenizerJson, ReadsMergesAsPairs) {
  auto json = byte_level_json();
  json["model"]["merges"] = nlohmann::json::parse(R"([["Ġ", "a"], ["a", "b"], ["Ġa", "b"]])");
  EXPECT_THAT(make_tokenizer(json).encode("ab ab"), ElementsAre(256, 258));
}

}  // namespace
}  // namespace fbt
