#include "tasks/template.h"

#include <gmock/gmock.h>

#include "base/json_lines.h"
#include "tests/support/errors.h"

namespace fbt::tasks {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const TemplateScope& scope() {
  static const TemplateScope kScope = {
      {{"subject", "high_school_biology"}},
      {{"connector", {{"cause", "because"}, {"effect", "therefore"}}}}};
  return kScope;
}

nlohmann::ordered_json row_value() {
  return parse_ordered_json(R"({"text": " Ärger. ", "n": 7, "yes": true, "kind": "cause",
    "sentence": "Ann saw _ and left", "deep": {"list": [{"t": "a"}, {"t": "b"}]},
    "truth": {"z": 1, "a": 0}, "none": null, "half": 0.5})",
                            "row");
}

std::string render(std::string_view text) {
  const nlohmann::ordered_json value = row_value();
  return Template(text, scope(), "d.json").render({value, "rows.jsonl", 3});
}

TEST(Template, FillsInFields) {
  const std::pair<const char*, const char*> cases[] = {
      {"no fields: {} }}", "no fields: {} }}"},
      {"{{n}}{{yes}}", "7true"},
      {"[{{text}}]", "[ Ärger. ]"},
      {"[{{text|strip}}]", "[Ärger.]"},
      {"{{text|strip|lower_first}}", "ärger."},
      {"{{text|strip|drop_last}}", "Ärger"},
      {"{{sentence|before:_}}X", "Ann saw X"},
      {"{{sentence|after:_|strip}}", "and left"},
      {"{{kind|map:connector}}", "because"},
      {"{{deep.list[1].t}}", "b"},
      {"{{$subject|spaces}}.", "high school biology."},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(render(text), expected) << text;
}

TEST(Template, NamesTheRowAndTheFieldThatAreWrong) {
  const std::pair<const char*, const char*> cases[] = {
      {"{{other}}", "rows.jsonl:3: field 'other' is missing"},
      {"{{text.more}}", "rows.jsonl:3: field 'text.more' is missing"},
      {"{{none}}", "rows.jsonl:3: field 'none' must be text"},
      {"{{half}}", "rows.jsonl:3: field 'half' must be text"},
      {"{{deep}}", "rows.jsonl:3: field 'deep' must be text"},
      {"{{deep.list[2].t}}", "rows.jsonl:3: field 'deep.list[2].t' has no item 2"},
      {"{{text|before:_}}", "rows.jsonl:3: field 'text' must contain '_'"},
      {"{{text|map:connector}}", "field 'text' must be one of cause, effect"},
  };
  for (const auto& [text, message] : cases) {
    EXPECT_THAT(testing::error_of([&, &text = text] { render(text); }), HasSubstr(message)) << text;
  }
}

TEST(Template, RefusesMalformedNotation) {
  const std::pair<const char*, const char*> cases[] = {
      {"{{open", "'{{' without '}}'"},
      {"{{n|shout}}", "unknown transform 'shout'"},
      {"{{n|strip:x}}", "unknown transform 'strip:x'"},
      {"{{n|before:}}", "unknown transform 'before:'"},
      {"{{n|map:other}}", "no map 'other'"},
      {"{{$subjct}}", "did you mean subject"},
      {"{{}}", "is not a path"},
      {"{{a..b}}", "is not a path"},
      {"{{a[x]}}", "is not a path"},
      {"{{a[].b}}", "is a list"},
  };
  for (const auto& [text, message] : cases) {
    EXPECT_THAT(testing::error_of([&, &text = text] { Template(text, scope(), "d.json"); }),
                AllOf(HasSubstr("d.json"), HasSubstr(message)))
        << text;
  }
}

TEST(FieldPath, ReadsLists) {
  const nlohmann::ordered_json value = row_value();
  const Row row{value, "rows.jsonl", 3};
  EXPECT_THAT(FieldPath("deep.list[].t", "d").texts(row), ElementsAre("a", "b"));
  EXPECT_THAT(FieldPath("truth.keys()", "d").texts(row), ElementsAre("z", "a"));
  EXPECT_THAT(FieldPath("truth.values()", "d").texts(row), ElementsAre("1", "0"));
  EXPECT_THROW(FieldPath("text[]", "d").texts(row), InputError);
  EXPECT_THROW(FieldPath("deep.list.keys()", "d").texts(row), InputError);
  EXPECT_THROW(FieldPath("a[].b[]", "d"), InputError);
}

TEST(StripWhiteSpace, TakesWhatPythonTakes) {
  EXPECT_EQ(strip_white_space("\t\xC2\xA0 a b\x1f\xE3\x80\x80\n"), "a b");
  EXPECT_EQ(strip_white_space(" \r\n"), "");
  // A zero-width space is no white space.
  EXPECT_EQ(strip_white_space("\xE2\x80\x8B"), "\xE2\x80\x8B");
}

}  // namespace
}  // namespace fbt::tasks
