#include "tasks/registry.h"

#include <gmock/gmock.h>

#include "base/file.h"
#include "tests/support/errors.h"
#include "tests/support/paths.h"

namespace fbt::tasks {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string error_of(const std::vector<std::string>& names) {
  return testing::error_of([&] { Registry().expand(names); });
}

TEST(Registry, ExpandsNamesGroupsAndAliases) {
  Registry registry;
  EXPECT_EQ(registry.expand({"lm-eval-10"}).size(), 9U + 57U);
  EXPECT_EQ(registry.expand({"mmlu"}).size(), 57U);
  EXPECT_EQ(registry.expand({"mmlu_stem", "mmlu_stem"}).size(), 19U);
  EXPECT_THAT(registry.expand({"free-generation"}),
              ElementsAre("gsm8k", "math500", "humaneval", "mbpp"));
  EXPECT_THAT(registry.expand({"minerva_math500", "mbpp", "math500"}),
              ElementsAre("math500", "mbpp"));
  EXPECT_THAT(error_of({"gms8k"}), HasSubstr("did you mean gsm8k"));
}

TEST(Registry, GivesInnerGroupsFirst) {
  FBT_REQUIRE_SHARED("data");
  const DataSource data((testing::shared_dir() / "data").string());
  std::vector<std::string> names;
  for (const Group& group : Registry().resolve({"mmlu"}, data).groups) names.push_back(group.name);
  EXPECT_THAT(names, ElementsAre("mmlu_stem", "mmlu_humanities", "mmlu_social_sciences",
                                 "mmlu_other", "mmlu"));
}

TEST(Registry, HoldsThePublishedSizes) {
  FBT_REQUIRE_SHARED("data");
  const DataSource data((testing::shared_dir() / "data").string());
  const std::pair<const char*, int> cases[] = {
      {"rte", 277},       {"truthfulqa_mc2", 817}, {"arc_easy", 2376},   {"arc_challenge", 1172},
      {"boolq", 3270},    {"piqa", 1838},          {"winogrande", 1267}, {"openbookqa", 500},
      {"copa", 100},      {"mmlu", 14042},         {"gsm8k", 1319},      {"math500", 500},
      {"humaneval", 164}, {"mbpp", 500},
  };
  Registry registry;
  for (const auto& [name, expected] : cases) {
    int documents = 0;
    for (const auto& task : registry.resolve({name}, data).tasks) {
      documents += task->document_count();
    }
    EXPECT_EQ(documents, expected) << name;
  }
}

TEST(Registry, TakesDefinitionFiles) {
  const std::string examples = (testing::source_dir() / "docs" / "examples").string();
  Registry registry;
  const Selection selection =
      registry.resolve({examples + "/capitals.json", examples + "/unit_conversion.json",
                        examples + "/list_functions.json", "gsm8k"},
                       DataSource("samples"));
  ASSERT_EQ(selection.tasks.size(), 4U);

  const Task& capitals = *selection.tasks[0];
  EXPECT_EQ(capitals.document_count(), 3);
  const Document peru = capitals.prompts({})->document(0);
  EXPECT_EQ(peru.requests[1].context,
            "Question: What is the capital of Japan?\nAnswer: Tokyo\n\n"
            "Question: What is the capital of Egypt?\nAnswer: Cairo\n\n"
            "Question: What is the capital of Peru?\nAnswer:");
  EXPECT_EQ(peru.requests[1].continuation, " Lima");
  EXPECT_EQ(peru.right_choice, 1);

  const Task& units = *selection.tasks[1];
  EXPECT_EQ(units.scorer().name, "pattern");
  const Document minutes = units.prompts({})->document(1);
  EXPECT_EQ(minutes.reference.gold, "125");
  EXPECT_EQ(minutes.generation->max_new_tokens, 64);

  const Task& lists = *selection.tasks[2];
  EXPECT_EQ(lists.sampling().samples, 4);
  EXPECT_THAT(lists.sampling().k, ElementsAre(1, 2));
  EXPECT_EQ(lists.prompts({})->document(1).reference.test_list.size(), 2U);

  // The same file again is the same task.
  EXPECT_THAT(registry.expand({examples + "/capitals.json"}), ElementsAre("capitals"));
}

TEST(Registry, RefusesANameThatIsTaken) {
  const testing::TemporaryFolder folder;
  const std::string path = (folder.path() / "mine.json").string();
  std::string text =
      read_file(testing::source_dir() / "docs" / "examples" / "unit_conversion.json");
  text.replace(text.find("\"unit_conversion\""), 17, "\"gsm8k\"");
  write_file_atomically(path, text);
  EXPECT_THAT(error_of({path}), AllOf(HasSubstr(path), HasSubstr("'gsm8k', which is taken")));
  EXPECT_THAT(error_of({"no_such_file.json"}), HasSubstr("cannot read no_such_file.json"));
}

}  // namespace
}  // namespace fbt::tasks
