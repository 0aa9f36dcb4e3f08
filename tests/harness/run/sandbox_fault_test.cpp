// A sandbox that breaks is not the model's fault: it is reported, what was judged
// stays, and the rest can be judged later.

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "base/json_lines.h"
#include "harness/run/execute.h"
#include "harness/run/grade_code.h"
#include "results/store/store.h"
#include "tests/harness/run/fake_backend.h"
#include "tests/harness/run/fake_task.h"
#include "tests/support/paths.h"

namespace fbt::run {
namespace {

using ::testing::HasSubstr;

// An interpreter whose workers are killed when a program takes half a second: such
// a program breaks the first worker and then the second.
std::filesystem::path breaking_python(const std::filesystem::path& folder) {
  std::filesystem::path script = folder / "python";
  write_file_atomically(script, R"(#!/bin/sh
worker=$$ sh -c '
  before=
  while sleep 0.5 && [ -d /proc/$worker ]; do
    for server in $(cat /proc/$worker/task/$worker/children); do
      [ $server = $$ ] && continue
      running=$(cat /proc/$server/task/$server/children)
      [ -n "$running" ] && [ "$running" = "$before" ] && kill -9 $server
      before=$running
    done
  done' 2>/dev/null 3>&- 4>&- &
exec /usr/bin/python3 "$@"
)");
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  return script;
}

std::string failure_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const EnvironmentError& error) {
    return error.what();
  }
  return "no error";
}

TEST(SandboxFault, LeavesAGradedSampleOpen) {
  const testing::TemporaryFolder folder;
  write_file_atomically(folder.path() / "problems.jsonl",
                        R"({"task_id": "Made/0", "prompt": "", "entry_point": "f", "test": )"
                        R"("def check(f): assert f() == 1"})"
                        "\n");
  write_file_atomically(
      folder.path() / "samples.jsonl",
      R"({"task_id": "Made/0", "completion": "def f(): return 1"})"
      "\n"
      R"({"task_id": "Made/0", "completion": "import time\ntime.sleep(2)\ndef f(): return 1"})"
      "\n");
  GradeRequest request;
  request.task = "humaneval";
  request.problems = folder.path() / "problems.jsonl";
  request.input = folder.path() / "samples.jsonl";
  request.sandbox.workers = 1;
  request.sandbox.limits.wall_seconds = 30;
  request.sandbox.python = breaking_python(folder.path());
  GradeSinks sinks;
  sinks.line = [](const GradedLine&) {};
  sinks.totals = [](const std::string& text) { ADD_FAILURE() << "pass@k of a part: " << text; };
  sinks.summary = [](const std::string&) {};
  EXPECT_THAT(failure_of([&] { grade_human_eval(request, sinks); }),
              HasSubstr("1 of 2 programs could not be run"));

  std::vector<nlohmann::json> rows;
  for_each_json_line(folder.path() / "samples.jsonl_results.jsonl",
                     [&](nlohmann::json&& row, std::size_t) { rows.push_back(std::move(row)); });
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0]["passed"], true);
  EXPECT_TRUE(rows[1]["passed"].is_null());
  EXPECT_THAT(rows[1]["result"].get<std::string>(), HasSubstr("harness fault"));
}

// Every completion of the backend's is a comment here; the third document takes long.
class CodePrompts : public testing::FakePrompts {
 public:
  using FakePrompts::FakePrompts;
  tasks::Document document(int id) const override {
    tasks::Document document = FakePrompts::document(id);
    document.reference.test_list = {id == 2 ? "import time; time.sleep(2)" : "pass"};
    return document;
  }
};

constexpr int kDocuments = 4;

class CodeTask : public testing::FakeTask {
 public:
  CodeTask()
      : FakeTask("code", tasks::TaskKind::kGeneration, kDocuments,
                 tasks::ScorerSpec{.name = "mbpp", .pattern = ""},
                 {.samples = 1, .temperatures = {0.3}, .k = {1}}, {"pass@1"}) {}
  std::shared_ptr<const tasks::PromptSet> prompts(const tasks::PromptOptions&) const override {
    return std::make_shared<CodePrompts>(tasks::TaskKind::kGeneration, kDocuments);
  }
};

TEST(SandboxFault, LeavesTheRestOfARunDone) {
  const testing::TemporaryFolder folder;
  RunOptions options;
  options.database = folder.path() / "r.sqlite";
  options.modes = {Mode::kStandard};
  Subject subject;
  subject.checkpoint.content_hash = "hash";
  subject.checkpoint.name = "fake";
  subject.make_backend = [](int) { return std::make_unique<testing::FakeBackend>(); };
  const tasks::Selection selection{.tasks = {std::make_shared<CodeTask>()}, .groups = {}};

  ::setenv("FBT_PYTHON", breaking_python(folder.path()).c_str(), 1);
  const std::string failure = failure_of([&] { execute(options, subject, selection, {}); });
  ::unsetenv("FBT_PYTHON");
  EXPECT_THAT(failure, HasSubstr("failed on 1 programs and they are not counted"));
  {
    const results::Store store(options.database, results::OpenMode::kRead);
    ASSERT_EQ(store.runs().size(), 1U);
    EXPECT_FALSE(store.runs()[0].complete());
  }

  const Outcome rest = execute(options, subject, selection, {});
  EXPECT_EQ(rest.restored, 3U);
  const results::Store store(options.database, results::OpenMode::kRead);
  EXPECT_TRUE(store.runs()[0].complete());
  int right = 0;
  store.for_each_generation(rest.runs[0],
                            [&](const results::Generation& row) { right += row.score == 1; });
  EXPECT_EQ(right, kDocuments);
  // Where it was judged stands beside it.
  for (const results::Session& session : store.sessions(rest.runs[0])) {
    EXPECT_FALSE(session.environment.sandbox_tier.empty());
  }
}

}  // namespace
}  // namespace fbt::run
