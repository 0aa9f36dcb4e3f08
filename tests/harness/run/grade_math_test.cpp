#include "harness/run/grade_math.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "tests/support/paths.h"

namespace fbt {
namespace {

struct Graded {
  std::vector<GradedLine> lines;
  std::string summary;
};

class GradeMath : public ::testing::Test {
 protected:
  GradeMath() {
    request_.input = folder_.path() / "completions.jsonl";
    request_.data = folder_.path();
    std::filesystem::create_directories(folder_.path() / "math500");
  }

  Graded run(void (*grader)(const GradeRequest&, const GradeSinks&), const std::string& input) {
    write_file_atomically(request_.input, input);
    graded_ = {};
    GradeSinks sinks;
    sinks.line = [this](const GradedLine& line) { graded_.lines.push_back(line); };
    sinks.summary = [this](const std::string& text) { graded_.summary = text; };
    grader(request_, sinks);
    return graded_;
  }

  testing::TemporaryFolder folder_;
  GradeRequest request_;
  Graded graded_;
};

TEST_F(GradeMath, ScoresGoldLinesInOrder) {
  const Graded graded = run(grade_math500,
                            R"({"gold": "\\frac12", "completion": "It is \\boxed{0.5}."}
{"gold": "7", "completion": "The answer is 8."}
{"gold": "7", "completion": "@ #"}
)");
  ASSERT_EQ(graded.lines.size(), 3u);
  EXPECT_EQ(to_json_line(graded.lines[0]),
            R"({"correct":true,"extracted":"0.5","index":0,"rule":"boxed:value"})");
  EXPECT_FALSE(graded.lines[1].correct);
  EXPECT_EQ(graded.lines[1].rule, "final_answer:value");
  EXPECT_FALSE(graded.lines[2].correct);
  EXPECT_EQ(graded.lines[2].rule, "undecided");
  EXPECT_EQ(graded.summary, "1 of 3 right (33.33%), 1 undecided");
}

TEST_F(GradeMath, LooksReferencesUpByDocument) {
  write_file_atomically(folder_.path() / "math500/test.jsonl",
                        "{\"answer\": \"3\", \"unique_id\": \"a/b.json\"}\n{\"answer\": \"4\"}\n");
  const Graded graded = run(grade_math500,
                            R"({"doc_id": 1, "completion": "4"}
{"doc_id": "0", "completion": "4"}
{"doc_id": "a/b.json", "completion": "3"}
)");
  ASSERT_EQ(graded.lines.size(), 3u);
  EXPECT_TRUE(graded.lines[0].correct);
  EXPECT_FALSE(graded.lines[1].correct);
  EXPECT_TRUE(graded.lines[2].correct);
}

TEST_F(GradeMath, Gsm8kGivesEveryFiltersVerdict) {
  const std::string input = R"({"gold": "work\n#### 1,000", "completion": "It is $1000.00."})";
  const Graded strict = run(grade_gsm8k, input);
  ASSERT_EQ(strict.lines.size(), 1u);
  EXPECT_FALSE(strict.lines[0].correct);
  const std::vector<std::pair<std::string, bool>> all = {
      {"strict_correct", false}, {"flexible_correct", false}, {"chat_correct", true}};
  EXPECT_EQ(strict.lines[0].other, all);
  request_.chat = true;
  EXPECT_TRUE(run(grade_gsm8k, input).lines[0].correct);
}

TEST_F(GradeMath, KeepsTheOrderOfManyLines) {
  std::string input;
  for (int i = 0; i < 1000; ++i) {
    input += R"({"gold": ")" + std::to_string(i) + R"(", "completion": ")" +
             std::to_string(i % 3 == 0 ? i : i + 1) + "\"}\n\n";
  }
  const Graded graded = run(grade_math500, input);
  ASSERT_EQ(graded.lines.size(), 1000u);
  for (std::size_t i = 0; i < 1000; ++i) {
    EXPECT_EQ(graded.lines[i].index, i);
    EXPECT_EQ(graded.lines[i].correct, i % 3 == 0);
  }
}

TEST_F(GradeMath, NamesTheLineThatIsWrong) {
  struct Case {
    const char* line;
    const char* message;
  };
  const Case cases[] = {
      {"{", ":3 is not valid JSON"},
      {"[]", ":3: a line must be a JSON object"},
      {R"({"gold": "1"})", ":3: no text \"completion\""},
      {R"({"completion": "1"})", ":3: no text \"gold\""},
      {R"({"gold": 1, "completion": "1"})", ":3: no text \"gold\""},
      {R"({"doc_id": 1, "completion": "1"})", "the references for doc_id are not at"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.line);
    try {
      run(grade_math500,
          std::string("{\"gold\": \"1\", \"completion\": \"1\"}\n\n") + c.line + "\n");
      ADD_FAILURE() << "no error";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), ::testing::HasSubstr(c.message));
    }
    EXPECT_EQ(graded_.lines.size(), 1u);  // what came before is out
  }
  EXPECT_THROW(run(grade_math500, "\n"), InputError);
}

TEST_F(GradeMath, RefusesDocumentsThatAreNotThere) {
  write_file_atomically(folder_.path() / "math500/test.jsonl", "{\"answer\": \"3\"}\n");
  EXPECT_THROW(run(grade_math500, R"({"doc_id": 1, "completion": "1"})"), InputError);
  write_file_atomically(folder_.path() / "math500/test.jsonl", "{\"answer\": 3}\n");
  EXPECT_THROW(run(grade_math500, R"({"doc_id": 0, "completion": "1"})"), InputError);
}

}  // namespace
}  // namespace fbt
