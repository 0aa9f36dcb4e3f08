#include "tasks/fetch/sources.h"

#include <set>

#include <gmock/gmock.h>
#include <re2/re2.h>

#include "tasks/registry.h"
#include "tests/support/errors.h"

namespace fbt::tasks {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Sources, FillInTheRepositoryUrl) {
  const auto sets = parse_sources(R"({
    "repository_url": "https://host.test/{repository}/{commit}/{path}",
    "data_sets": [{"name": "a", "title": "A", "licence": "MIT", "files": [
      {"file": "a/x.jsonl", "repository": "o/r", "commit": "123", "paths": ["p", "q"], "rows": 2},
      {"file": "a/y.jsonl", "url": "https://other.test/y.zip", "member": "y",
       "fields": ["f"]}]}]})",
                                  "s.json");
  ASSERT_EQ(sets.size(), 1U);
  EXPECT_THAT(sets[0].files[0].urls,
              ElementsAre("https://host.test/o/r/123/p", "https://host.test/o/r/123/q"));
  EXPECT_EQ(sets[0].files[0].rows, 2);
  EXPECT_EQ(sets[0].files[1].member, "y");
  EXPECT_THAT(sets[0].files[1].fields, ElementsAre("f"));
}

TEST(Sources, NameTheKeyThatIsWrong) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"data_sets": [{"name": "a"}]})", "'data_sets' item 1: key 'title' is missing"},
      {R"({"data_sets": [], "more": 1})", "unknown key 'more'"},
      {R"({"data_sets": [{"name": "a", "title": "A", "licence": "MIT", "files": [
           {"file": "f", "url": "u", "conversion": "crlf_to_cr"}]}]})",
       "did you mean crlf_to_lf"},
  };
  for (const auto& [json, message] : cases) {
    EXPECT_THAT(testing::error_of([&] { parse_sources(json, "s.json"); }), HasSubstr(message));
  }
}

TEST(Sources, SelectByName) {
  const auto all = built_in_sources();
  EXPECT_EQ(select_data_sets(all, {}).size(), all.size());
  EXPECT_EQ(select_data_sets(all, {"mbpp"}).at(0).name, "mbpp");
  EXPECT_THROW(select_data_sets(all, {"mbp"}), InputError);
}

// A branch would move under the hashes. One commit is known by its first digits only.
TEST(BuiltInSources, PinCommits) {
  const re2::RE2 whole("/[0-9a-f]{40}/");
  for (const DataSet& set : built_in_sources()) {
    for (const SourceFile& file : set.files) {
      for (const std::string& url : file.urls) {
        if (url.find("githubusercontent.com/") == std::string::npos) continue;
        if (file.file == "arc_easy/ARC-Easy-Test.jsonl") continue;
        EXPECT_TRUE(re2::RE2::PartialMatch(url, whole)) << url;
      }
    }
  }
}

// A task whose data nothing brings would send its users to a command that does not help.
TEST(BuiltInSources, HoldEveryFileOfTheTasks) {
  std::set<std::string> brought;
  for (const DataSet& set : built_in_sources()) {
    for (const SourceFile& file : set.files) {
      EXPECT_EQ(file.file.substr(0, file.file.find('/')), set.name);
      EXPECT_TRUE(!file.sha256.empty() || file.rows) << file.file << " cannot be checked";
      brought.insert(file.file);
    }
  }
  for (const TaskEntry& task : Registry().tasks()) {
    for (const std::string& file : task.files) {
      EXPECT_TRUE(brought.contains(file) || brought.contains(file + ".gz")) << file;
    }
  }
}

}  // namespace
}  // namespace fbt::tasks
