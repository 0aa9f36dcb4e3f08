#include "harness/tokenizer/normalizer.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"

namespace fbt::tokenizer {
namespace {

using ::testing::HasSubstr;

std::string normalize(const char* json, const std::string& text) {
  const auto value = nlohmann::json::parse(json);
  return make_normalizer(JsonNode(value, "normalizer"))->normalize(text);
}

struct Case {
  const char* json;
  const char* text;
  const char* normalized;
};

TEST(Normalizer, ChangesTextAsHuggingFacesLibraryDoes) {
  const Case cases[] = {
      // UAX #15, figures 3 to 6.
      {R"({"type":"NFC"})", "e\xCC\x81 \xEF\xAC\x81", "\xC3\xA9 \xEF\xAC\x81"},
      {R"({"type":"NFD"})", "\xC3\xA9", "e\xCC\x81"},
      {R"({"type":"NFKC"})", "e\xCC\x81\xEF\xAC\x81",
       "\xC3\xA9"
       "fi"},
      {R"({"type":"NFKD"})", "\xC3\xA9\xEF\xAC\x81",
       "e\xCC\x81"
       "fi"},
      {R"({"type":"NFC"})", "\xE1\x84\x80\xE1\x85\xA1", "\xEA\xB0\x80"},  // Hangul
      {R"({"type":"Prepend","prepend":"▁"})", "a", "▁a"},
      {R"({"type":"Prepend","prepend":"▁"})", "", ""},
      {R"({"type":"Replace","pattern":{"String":" "},"content":"▁"})", " a  b", "▁a▁▁b"},
      {R"({"type":"Replace","pattern":{"Regex":" {2,}"},"content":" "})", "a   b c", "a b c"},
      {R"({"type":"Strip","strip_left":true,"strip_right":true})", " \xC2\xA0 a b\n", "a b"},
      {R"({"type":"Strip","strip_left":false,"strip_right":true})", " a ", " a"},
      {R"({"type":"Strip","strip_left":true,"strip_right":false})", " a ", "a "},
      {R"({"type":"Strip","strip_left":true,"strip_right":false})", "  ", ""},
      {R"({"type":"Sequence","normalizers":[{"type":"Prepend","prepend":" "},
          {"type":"Replace","pattern":{"String":" "},"content":"_"}]})",
       "a b", "_a_b"},
  };
  for (const Case& c : cases) EXPECT_EQ(normalize(c.json, c.text), c.normalized) << c.json;
}

TEST(Normalizer, NamesWhatItDoesNotSupport) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"type":"Lowercase"})", "'Lowercase normalizer' is not supported"},
      {R"({"type":"Sequence","normalizers":[{"type":"NFC"},{"type":"Precompiled"}]})",
       "normalizer.normalizers[1]: 'Precompiled normalizer'"},
      {R"({"type":"Prepend"})", "'prepend' is missing"},
      {R"({"type":"Sequence","normalizers":{}})", "should be an array"},
      {R"({"type":5})", "type: should be a string"},
      {R"("NFC")", "should be an object"},
  };
  for (const auto& [json, message] : cases) {
    try {
      normalize(json, "a");
      ADD_FAILURE() << json;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr(message)) << json;
    }
  }
}

TEST(Normalizer, RefusesDeepNesting) {
  std::string json = R"({"type":"NFC"})";
  for (int i = 0; i < 1000; ++i) json = R"({"type":"Sequence","normalizers":[)" + json + "]}";
  EXPECT_THROW(normalize(json.c_str(), "a"), InputError);
}

}  // namespace
}  // namespace fbt::tokenizer
