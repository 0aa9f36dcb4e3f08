#include "results/report/markup.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/utf8.h"
#include "tests/results/report/simulated_report.h"

namespace fbt::results {
namespace {

TEST(EscapeMarkup, Table) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"", ""},
      {"plain, ü and 語", "plain, ü and 語"},
      {"<b a=\"1\" c='2'>&amp;", "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;"},
      {"tab\tline\nreturn\r", "tab\tline\nreturn\r"},
      {std::string_view("\0", 1), "\uFFFD"},
      {"\x1b[31m\x7f", "\uFFFD[31m\uFFFD"},
      {"a\xff z", "a\uFFFD z"},
      {"\xe2\x80\xae"
       "abc\xe2\x80\xac\xe2\x81\xa6",
       "\uFFFD"
       "abc\uFFFD\uFFFD"},
      {"\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d", "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d"},
  };
  for (const auto& [text, escaped] : cases) EXPECT_EQ(escape_markup(text), escaped);
}

TEST(ScriptJson, HoldsNothingThatEndsAScript) {
  const nlohmann::json value = {{std::string(testing::kHostileText), testing::kHostileText},
                                {"list", {"<!--", "]]>", "&amp;", "\u2028\u2029"}}};
  const std::string json = script_json(value);
  EXPECT_EQ(json.find_first_of("<>&\n"), std::string::npos);
  EXPECT_EQ(json.find("\u2028"), std::string::npos);
  EXPECT_EQ(json.find("\u2029"), std::string::npos);
  EXPECT_EQ(json.find('\0'), std::string::npos);
  EXPECT_TRUE(is_valid_utf8(json));
}

TEST(ScriptJson, SaysTheSameAsBefore) {
  const nlohmann::json value = {{"text", "</script>\u2028&\0x"}, {"numbers", {1, 2.5, -3}}};
  EXPECT_EQ(nlohmann::json::parse(script_json(value)), value);
}

}  // namespace
}  // namespace fbt::results
