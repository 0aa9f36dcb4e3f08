#include "harness/tokenizer/pre_tokenizer.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"

namespace fbt::tokenizer {
namespace {

using ::testing::HasSubstr;

std::vector<std::string> pieces_of(const char* json, std::string_view text,
                                   bool starts_input = true) {
  const auto value = nlohmann::json::parse(json);
  const auto chain = make_pre_tokenizers(JsonNode(value, "pre_tokenizer"));
  PieceList list{{{text, starts_input}}, {}};
  for (const auto& step : chain.steps) step->apply(list);
  std::vector<std::string> pieces;
  for (const Piece& piece : list.pieces) pieces.emplace_back(piece.text);
  return pieces;
}

struct Case {
  const char* json;
  const char* text;
  std::vector<std::string> pieces;
};

TEST(PreTokenizer, CutsAsHuggingFacesLibraryDoes) {
  const Case cases[] = {
      // The five behaviours, with the example of that library's documentation.
      {R"({"type":"Split","pattern":{"String":"-"},"behavior":"Removed"})",
       "the-final--countdown",
       {"the", "final", "countdown"}},
      {R"({"type":"Split","pattern":{"String":"-"},"behavior":"Isolated"})",
       "the-final--countdown",
       {"the", "-", "final", "-", "-", "countdown"}},
      {R"({"type":"Split","pattern":{"String":"-"},"behavior":"MergedWithPrevious"})",
       "the-final--countdown",
       {"the-", "final-", "-", "countdown"}},
      {R"({"type":"Split","pattern":{"String":"-"},"behavior":"MergedWithNext"})",
       "the-final--countdown",
       {"the", "-final", "-", "-countdown"}},
      {R"({"type":"Split","pattern":{"String":"-"},"behavior":"Contiguous"})",
       "the-final--countdown",
       {"the", "-", "final", "--", "countdown"}},
      // Inverted: what matches is kept.
      {R"({"type":"Split","pattern":{"Regex":"[a-z]+"},"behavior":"Removed","invert":true})",
       "ab-cd1",
       {"ab", "cd"}},
      {R"({"type":"Split","pattern":{"Regex":"[a-z]"},"behavior":"Contiguous","invert":true})",
       "ab-cd",
       {"ab", "-", "cd"}},
      {R"({"type":"ByteLevel","add_prefix_space":true})",
       "Hello my friend, it's 10:5  \n ok",
       {" Hello", " my", " friend", ",", " it", "'s", " 10", ":", "5", "  \n", " ok"}},
      {R"({"type":"ByteLevel","add_prefix_space":false,"use_regex":false})", "a b", {"a b"}},
      {R"({"type":"ByteLevel","add_prefix_space":true,"use_regex":false})", " a", {" a"}},
      {R"({"type":"Digits","individual_digits":true})", "a12½b", {"a", "1", "2", "½", "b"}},
      {R"({"type":"Digits","individual_digits":false})", "a12½b3", {"a", "12½", "b", "3"}},
      {R"({"type":"Digits"})", "12", {"12"}},
      {R"({"type":"Punctuation"})", "Hey, $5?!", {"Hey", ",", " ", "$", "5", "?", "!"}},
      {R"({"type":"Punctuation","behavior":"Contiguous"})", "a?!b", {"a", "?!", "b"}},
      {R"({"type":"WhitespaceSplit"})", " a-b \t c", {"a-b", "c"}},
      {R"({"type":"Whitespace"})", "Hey, man_1! é", {"Hey", ",", "man_1", "!", "é"}},
      {R"({"type":"Metaspace","replacement":"▁","prepend_scheme":"always"})",
       "a  b",
       {"▁a", "▁", "▁b"}},
      {R"({"type":"Metaspace","replacement":"▁","prepend_scheme":"always"})", " a", {"▁a"}},
      {R"({"type":"Metaspace","replacement":"▁","prepend_scheme":"never"})", "a b", {"a", "▁b"}},
      {R"({"type":"Metaspace","replacement":"▁","add_prefix_space":false})", "a b", {"a", "▁b"}},
      {R"({"type":"Metaspace","replacement":"▁","prepend_scheme":"always","split":false})",
       "a b",
       {"▁a▁b"}},
      {R"({"type":"Sequence","pretokenizers":[{"type":"WhitespaceSplit"},
          {"type":"Digits","individual_digits":true}]})",
       "ab 12",
       {"ab", "1", "2"}},
      // "first": only where the input begins, not every piece.
      {R"({"type":"Sequence","pretokenizers":[{"type":"WhitespaceSplit"},
          {"type":"Metaspace","replacement":"▁","prepend_scheme":"first"}]})",
       "a b",
       {"▁a", "b"}},
  };
  for (const Case& c : cases) EXPECT_EQ(pieces_of(c.json, c.text), c.pieces) << c.json;
}

TEST(PreTokenizer, PrependsFirstOnlyAtTheInputsStart) {
  const char* json = R"({"type":"Metaspace","replacement":"▁","prepend_scheme":"first"})";
  EXPECT_EQ(pieces_of(json, "a", true), std::vector<std::string>{"▁a"});
  EXPECT_EQ(pieces_of(json, "a", false), std::vector<std::string>{"a"});
}

TEST(PreTokenizer, NamesWhatItDoesNotSupport) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"type":"BertPreTokenizer"})", "BertPreTokenizer pre-tokenizer"},
      {R"({"type":"Split","pattern":{"String":"a"},"behavior":"Sideways"})", "Sideways behavior"},
      {R"({"type":"Split","pattern":{"Regex":"("},"behavior":"Isolated"})", "pattern.Regex"},
      {R"({"type":"Split","behavior":"Isolated"})", "'pattern' is missing"},
      {R"({"type":"Split","pattern":{"String":""},"behavior":"Isolated"})", "not be empty"},
      {R"({"type":"Metaspace","replacement":"▁▁"})", "one character"},
      {R"({"type":"Metaspace","replacement":"▁","prepend_scheme":"last"})", "'last'"},
      {R"({"type":"Sequence","pretokenizers":[{"type":"ByteLevel"},{"type":"Digits"}]})",
       "Digits pre-tokenizer after ByteLevel"},
      {R"({"pattern":1})", "'type' is missing"},
  };
  for (const auto& [json, message] : cases) {
    try {
      pieces_of(json, "a");
      ADD_FAILURE() << json;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr(message)) << json;
    }
  }
}

}  // namespace
}  // namespace fbt::tokenizer
