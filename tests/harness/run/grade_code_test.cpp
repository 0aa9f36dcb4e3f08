// Grading of code completions, with problems made up for the purpose.

#include "harness/run/grade_code.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "base/json_lines.h"
#include "tests/support/paths.h"

namespace fbt {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kHumanEval =
    R"({"task_id": "Made/0", "prompt": "def twice(x):\n", "entry_point": "twice", "test": "def check(f):\n    assert f(2) == 4\n    assert f(-3) == -6\n"}
{"task_id": "Made/1", "prompt": "def half(x):\n", "entry_point": "half", "test": "def check(f):\n    assert f(4) == 2\n"}
)";

constexpr const char* kMbpp =
    R"({"task_id": 7, "text": "", "code": "def add(a, b):\n  return a + b", "test_setup_code": "one = 1", "test_list": ["assert add(one, 1) == 2", "assert add(0, 0) == 0"]}
)";

class GradeCode : public ::testing::Test {
 protected:
  GradeCode() {
    std::filesystem::create_directories(folder_.path() / "humaneval");
    std::filesystem::create_directories(folder_.path() / "mbpp");
    write_file_atomically(folder_.path() / "humaneval/HumanEval.jsonl", kHumanEval);
    write_file_atomically(folder_.path() / "mbpp/mbpp.jsonl", kMbpp);
    request_.data = folder_.path();
    request_.input = folder_.path() / "samples.jsonl";
    request_.k = {1, 2, 100};
    request_.sandbox.workers = 2;
    request_.sandbox.limits.wall_seconds = 2;
    sinks_.line = [this](const GradedLine& line) { lines_.push_back(line); };
    sinks_.totals = [this](const std::string& text) { totals_ += text + "\n"; };
    sinks_.summary = [this](const std::string& text) { summary_ += text + "\n"; };
  }

  void samples(const std::string& lines) { write_file_atomically(request_.input, lines); }

  std::vector<bool> correct() const {
    std::vector<bool> all;
    for (const GradedLine& line : lines_) all.push_back(line.correct);
    return all;
  }

  std::string failure() {
    try {
      grade_human_eval(request_, sinks_);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  }

  testing::TemporaryFolder folder_;
  GradeRequest request_;
  GradeSinks sinks_;
  std::vector<GradedLine> lines_;
  std::string totals_;
  std::string summary_;
};

TEST_F(GradeCode, WritesResultsAsHumanEvalDoes) {
  samples(R"({"task_id": "Made/0", "completion": "    return x + x\n", "note": 5}
{"task_id": "Made/0", "completion": "    return x * x\n"}
{"task_id": "Made/1", "completion": "    while True: pass\n"}
{"task_id": "Made/1", "completion": "    return x +\n"}
)");
  grade_human_eval(request_, sinks_);
  EXPECT_THAT(correct(), ElementsAre(true, false, false, false));
  EXPECT_EQ(lines_[2].index, 2U);
  EXPECT_EQ(lines_[2].rule, "timed out");
  EXPECT_THAT(lines_[1].rule, HasSubstr("assert f(-3) == -6"));
  EXPECT_EQ(lines_[0].extracted, "    return x + x\n");
  // Problem 0: one of two; problem 1: none of two.
  EXPECT_EQ(totals_, "{\"pass@1\": 0.25, \"pass@2\": 0.5}\n");

  std::vector<nlohmann::json> rows;
  for_each_json_line(folder_.path() / "samples.jsonl_results.jsonl",
                     [&](nlohmann::json&& row, std::size_t) { rows.push_back(std::move(row)); });
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[0], nlohmann::json::parse(R"({"task_id": "Made/0", "note": 5, "passed": true,
      "completion": "    return x + x\n", "result": "passed"})"));
  EXPECT_EQ(rows[2]["result"], "timed out");
  EXPECT_EQ(rows[3]["passed"], false);
  EXPECT_THAT(rows[3]["result"].get<std::string>(), HasSubstr("failed: SyntaxError"));
}

TEST_F(GradeCode, SaysWhenProblemsAreMissing) {
  samples(R"({"task_id": "Made/0", "completion": "    return x + x\n"})");
  grade_human_eval(request_, sinks_);
  EXPECT_THAT(summary_, HasSubstr("only 1 of 2 problems"));
  EXPECT_EQ(totals_, "{\"pass@1\": 1.0}\n");
}

TEST_F(GradeCode, GradesMbppWithEveryFormOfId) {
  samples(R"({"task_id": 7, "completion": "def add(a, b):\n  return a + b"}
{"task_id": "7", "completion": "def add(a, b):\n  return a - b"}
{"task_id": "Mbpp/7", "completion": "def add(a, b): return b + a"}
)");
  grade_mbpp(request_, sinks_);
  EXPECT_THAT(correct(), ElementsAre(true, false, true));
}

TEST_F(GradeCode, TakesCodeFromChatAnswersOnRequest) {
  samples(
      R"({"task_id": "Made/0", "completion": "Here:\n```python\ndef twice(x):\n    return 2 * x\n```\n"}
)");
  grade_human_eval(request_, sinks_);
  request_.chat = true;
  grade_human_eval(request_, sinks_);
  EXPECT_THAT(correct(), ElementsAre(false, true));
}

TEST_F(GradeCode, NamesWhatIsWrongWithTheInput) {
  samples(
      "{\"task_id\": \"Made/0\", \"completion\": \"\"}\n{\"task_id\": \"Made/9\", "
      "\"completion\": \"\"}\n");
  EXPECT_THAT(failure(), HasSubstr("samples.jsonl:2: no problem has the task_id 'Made/9'"));
  samples("{\"task_id\": \"Made/0\"}\n");
  EXPECT_THAT(failure(), HasSubstr("samples.jsonl:1: \"completion\" must be a string"));
  samples("[1]\n");
  EXPECT_THAT(failure(), HasSubstr("samples.jsonl:1"));
  samples("\n");
  EXPECT_THAT(failure(), HasSubstr("holds no samples"));
  request_.data = "/nonexistent";
  EXPECT_THAT(failure(), HasSubstr("give --data DIR or --problems FILE"));
}

}  // namespace
}  // namespace fbt
