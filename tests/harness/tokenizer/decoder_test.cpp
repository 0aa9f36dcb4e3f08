#include "harness/tokenizer/decoder.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"

namespace fbt::tokenizer {
namespace {

using ::testing::HasSubstr;

Decoder make(const char* json) {
  const auto value = nlohmann::json::parse(json);
  return Decoder(JsonNode(value, "decoder"));
}

std::string decode(const Decoder& decoder, const std::vector<std::string>& tokens) {
  DecodeStream stream(decoder);
  std::string text;
  for (const std::string& token : tokens) stream.push(token, text);
  stream.finish();
  return text;
}

struct Case {
  const char* json;
  std::vector<std::string> tokens;
  const char* text;
};

TEST(Decoder, TurnsTokensIntoText) {
  const Case cases[] = {
      {R"({"type":"ByteLevel"})", {"Hello", "Ġy", "Ċ", "Ã", "©"}, "Hello y\n\xC3\xA9"},
      {R"({"type":"ByteLevel"})", {"▁ not spelled"}, "▁ not spelled"},
      {R"({"type":"ByteFallback"})",
       {"<0xC3>", "<0xa9>", "<0xZZ>", "<0x1>"},
       "\xC3\xA9<0xZZ><0x1>"},
      {R"({"type":"Replace","pattern":{"String":"_"},"content":"--"})", {"a_", "_"}, "a----"},
      {R"({"type":"Fuse"})", {"a", "b"}, "ab"},
      // The first token's signs go, all of them.
      {R"({"type":"Metaspace","replacement":"▁"})", {"▁a▁b", "▁c"}, "ab c"},
      {R"({"type":"Metaspace","replacement":"▁","prepend_scheme":"never"})", {"▁a", "▁b"}, " a b"},
      // Before Fuse every token is stripped, after it the text.
      {R"({"type":"Strip","content":" ","start":1,"stop":2})", {"  a ", "b   "}, " ab "},
      {R"({"type":"Sequence","decoders":[{"type":"Fuse"},
          {"type":"Strip","content":" ","start":2,"stop":1}]})",
       {" ", "  a", "  ", " b ", " "},
       " a   b "},
      {R"({"type":"Sequence","decoders":[{"type":"Fuse"},
          {"type":"Strip","content":" ","start":2,"stop":0}]})",
       {" ", "a", " "},
       "a "},
      {R"({"type":"Sequence","decoders":[{"type":"Fuse"},
          {"type":"Strip","content":" ","start":0,"stop":3}]})",
       {" ", " "},
       ""},
  };
  for (const Case& c : cases) EXPECT_EQ(decode(make(c.json), c.tokens), c.text) << c.json;
}

TEST(Decoder, WithoutOneTokensAreJoinedBySpaces) {
  EXPECT_EQ(decode(Decoder(), {"a", "b", "c"}), "a b c");
}

TEST(DecodeStream, StartsAfreshAfterItsEnd) {
  const Decoder decoder = make(R"({"type":"Metaspace","replacement":"▁"})");
  DecodeStream stream(decoder);
  std::string text;
  stream.push("▁a", text);
  stream.finish();
  stream.push("▁b", text);
  EXPECT_EQ(text, "ab");
}

TEST(Decoder, NamesWhatItDoesNotSupport) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"type":"WordPiece"})", "WordPiece decoder"},
      {R"({"type":"Sequence","decoders":[{"type":"Fuse"},{"type":"ByteLevel"}]})",
       "ByteLevel decoder after Fuse"},
      {R"({"type":"Sequence","decoders":[{"type":"Fuse"},
          {"type":"Strip","content":" ","start":1,"stop":0},
          {"type":"Strip","content":" ","start":1,"stop":0}]})",
       "second Strip"},
      {R"({"type":"Strip","content":"ab","start":1,"stop":0})", "one character"},
      {R"({"type":"Strip","content":" ","start":-1,"stop":0})", "start: should be a whole number"},
      {R"({"type":"Replace","pattern":{"Regex":"a"},"content":""})", "Regex pattern"},
      {R"({"type":"Replace","content":""})", "'pattern' is missing"},
  };
  for (const auto& [json, message] : cases) {
    try {
      make(json);
      ADD_FAILURE() << json;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr(message)) << json;
    }
  }
}

}  // namespace
}  // namespace fbt::tokenizer
