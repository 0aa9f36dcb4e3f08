#include "tasks/definition.h"

#include <gmock/gmock.h>

#include "base/json_lines.h"
#include "tests/support/errors.h"

namespace fbt::tasks {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

json choice_definition() {
  return json::parse(R"({"schema": 1, "name": "t", "title": "T", "kind": "multiple_choice",
    "documents": {"file": "t/test.jsonl"}, "prompt": "{{q}}", "choices": ["{{a}}", "{{b}}"],
    "target": {"index": "{{right}}"}, "metrics": ["acc"]})");
}

json generation_definition() {
  return json::parse(R"json({"schema": 1, "name": "t", "title": "T", "kind": "generation",
    "documents": {"file": "t/test.jsonl"}, "prompt": "{{q}}", "target": "{{a}}", "until": [],
    "scorer": {"name": "pattern", "pattern": "(\\d+)", "gold": "{{a}}"},
    "metrics": ["exact_match"]})json");
}

std::string error_of(const json& definition) {
  return testing::error_of([&] { parse_definitions(definition.dump(), "my.json"); });
}

TEST(Definition, IsReadWhole) {
  json text = choice_definition();
  text["few_shot"] = {{"file", "t/train.csv"}, {"columns", {"q", "a"}}, {"shots", 3}};
  const Definition choice = parse_definitions(text.dump(), "my.json").at(0);
  EXPECT_EQ(choice.task_kind(), TaskKind::kMultipleChoice);
  EXPECT_EQ(choice.few_shot->shots, 3);
  EXPECT_EQ(choice.few_shot->sampler, Sampler::kRandom);
  EXPECT_THAT(choice.files(), ElementsAre("t/test.jsonl", "t/train.csv"));
  const Definition generation = parse_definitions(generation_definition().dump(), "my.json").at(0);
  EXPECT_EQ(generation.task_kind(), TaskKind::kGeneration);
}

TEST(Definition, MakesAFamilyOfForEach) {
  json text = choice_definition();
  text["for_each"] = {{"subject", {"a_b", "c"}}};
  text["name"] = "t_{{$subject}}";
  text["title"] = "T: {{$subject|spaces}}";
  text["documents"]["file"] = "t/{{$subject}}.csv";
  const auto family = parse_definitions(text.dump(), "my.json");
  ASSERT_EQ(family.size(), 2U);
  EXPECT_EQ(family[0].name, "t_a_b");
  EXPECT_EQ(family[0].title, "T: a b");
  EXPECT_EQ(family[1].documents.file, "t/c.csv");
}

TEST(Definition, FindsFilesBesideItself) {
  json text = choice_definition();
  text["documents"]["file"] = "./rows.jsonl";
  EXPECT_EQ(parse_definitions(text.dump(), "/some/where/my.json").at(0).documents.file,
            "/some/where/rows.jsonl");
}

TEST(Definition, NamesTheKeyThatIsWrong) {
  const json choice = choice_definition();
  const json generation = generation_definition();
  struct Case {
    json base;
    const char* path;  // JSON Pointer
    json value;        // null: the key goes
    const char* message;
  };
  const Case cases[] = {
      {choice, "/schema", 2, "key 'schema' must be 1"},
      {choice, "/schema", nullptr, "key 'schema' is missing"},
      {choice, "/name", 5, "key 'name' must be a string"},
      {choice, "/promt", "x", "unknown key 'promt'; did you mean prompt"},
      {choice, "/kind", "multiple-choice", "key 'kind' names an unknown kind"},
      {choice, "/documents/file", "t/test.parquet", "'documents': key 'file'"},
      {choice, "/documents/fil", "x", "'documents': unknown key 'fil'"},
      {choice, "/documents/where", {{"field", "a..b"}, {"from", 1}, {"to", 2}}, "key 'field'"},
      {choice,
       "/documents/where",
       {{"field", "a"}, {"from", -1}, {"to", 2}},
       "key 'from' must be a whole number"},
      {choice, "/few_shot", {{"file", "t.jsonl"}}, "'few_shot': key 'shots' is missing"},
      {choice,
       "/few_shot",
       {{"file", "t.jsonl"}, {"shots", 1}, {"sampler", "last"}},
       "key 'sampler'"},
      {choice,
       "/few_shot",
       {{"file", "t.jsonl"}, {"shots", 1}, {"sampler", "first"}, {"extra", 1}},
       "key 'extra'"},
      {choice,
       "/few_shot",
       {{"file", "t.jsonl"}, {"shots", 1}, {"answer", "{{x"}},
       "key 'few_shot.answer'"},
      {choice, "/prompt", "{{q|loud}}", "key 'prompt': unknown transform"},
      {choice, "/prompt", "{{$q}}", "key 'prompt': unknown constant"},
      {choice, "/description", "{{q}}", "key 'description'"},
      {choice, "/choices", "a", "'choices' must be a JSON object"},
      {choice, "/choices", {{"list", "a[].b[]"}}, "key 'choices.list'"},
      {choice, "/choices", {1, 2}, "key 'choices' must be a list of strings"},
      {choice, "/target", json::object(), "key 'target' needs one of"},
      {choice, "/target", {{"label", "{{r}}"}}, "'target': key 'among' is missing"},
      {choice, "/metrics", json::array(), "key 'metrics' must not be empty"},
      {choice, "/metrics", {"accuracy"}, "key 'metrics' names an unknown"},
      {choice, "/target", {{"truth", "t.values()"}}, "no error"},
      {choice, "/until", {"x"}, "unknown key 'until'"},
      {choice, "/maps", {{"m", {{"a", 1}}}}, "'maps': 'm': key 'a' must be a string"},
      {generation, "/scorer/name", "regex", "key 'name' names an unknown name 'regex'"},
      {generation, "/scorer/pattern", "(", "key 'pattern' is not a regular expression"},
      {generation, "/scorer/pattern", nullptr, "'scorer': key 'pattern' is missing"},
      {generation, "/scorer/gold", "{{a", "key 'scorer.gold'"},
      {generation, "/until", "x", "key 'until' must be a list of strings"},
      {generation, "/max_new_tokens", 0, "key 'max_new_tokens' must be 1 or more"},
      {generation, "/metrics", {"pass@2"}, "key 'metrics'"},
      {generation,
       "/sampling",
       {{"samples", 2}, {"temperatures", {0.5}}, {"k", {3}}},
       "key 'k' must lie between 1 and 'samples'"},
      {generation,
       "/sampling",
       {{"samples", 2}, {"temperatures", json::array()}, {"k", {1}}},
       "key 'temperatures' must not be empty"},
      {generation, "/chat", {{"prompt", "{{q"}}, "key 'chat.prompt'"},
      {generation, "/chat", {{"promt", "x"}}, "'chat': key 'prompt' is missing"},
      {generation, "/for_each", {{"a", {"x"}}, {"b", {"y"}}}, "key 'for_each'"},
  };
  for (const Case& c : cases) {
    json text = c.base;
    const json::json_pointer at(c.path);
    if (c.value.is_null()) {
      text[at.parent_pointer()].erase(at.back());
    } else {
      text[at] = c.value;
    }
    const std::string error = error_of(text);
    EXPECT_THAT(error, HasSubstr(c.message)) << c.path;
    if (error == "no error") continue;
    EXPECT_THAT(error, HasSubstr("my.json")) << c.path;
  }
}

}  // namespace
}  // namespace fbt::tasks
