#include "tasks/synthetic/word_problem.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <re2/re2.h>

#include <set>
#include <string>

#include "base/error.h"

namespace fbt::synthetic {
namespace {

using ::testing::HasSubstr;

TEST(WordProblem, EveryTemplateDrawsOnBothSides) {
  const WordProblems problems;
  ASSERT_GE(problems.template_count(), 24u);
  for (std::size_t i = 0; i < problems.template_count(); ++i) {
    for (const Side side : {Side::kTraining, Side::kHeldOut}) {
      Draw draw(i);
      for (int n = 0; n < 20; ++n) {
        const WordProblem problem = problems.draw(i, side, draw);
        EXPECT_EQ(side_of(problem.numbers), side) << problem.numbers;
        EXPECT_EQ(problem.question.find('{'), std::string::npos) << problem.question;
      }
    }
  }
}

// Recomputes every annotation of an answer, and finds its operands in the
// question or in an earlier result.
TEST(WordProblem, AnswersAreWorkedOutRightly) {
  const WordProblems problems;
  const re2::RE2 annotation(R"(<<(\d+)([-+*/])(\d+)=(\d+)>>(\d+))"), number(R"((\d+))");
  Draw draw(7);
  std::set<std::size_t> step_counts;
  for (int n = 0; n < 2000; ++n) {
    const WordProblem problem = problems.draw(
        static_cast<std::size_t>(n) % problems.template_count(), Side::kTraining, draw);
    std::set<int> known{2};  // "half", "two": the only numbers that are words
    re2::StringPiece question(problem.question);
    for (int value = 0; re2::RE2::FindAndConsume(&question, number, &value);) known.insert(value);
    int last = 0, left = 0, right = 0, written = 0;
    char op = 0;
    std::size_t steps = 0;
    re2::StringPiece answer(problem.answer);
    for (; re2::RE2::FindAndConsume(&answer, annotation, &left, &op, &right, &last, &written);
         ++steps) {
      EXPECT_TRUE(known.count(left) && known.count(right)) << problem.question << problem.answer;
      if (op == '/') {
        EXPECT_EQ(last * right, left);
      } else {
        EXPECT_EQ(last, op == '+' ? left + right : op == '-' ? left - right : left * right);
      }
      EXPECT_EQ(last, written);
      EXPECT_GE(last, 1);
      EXPECT_LE(last, 99);
      known.insert(last);
    }
    step_counts.insert(steps);
    EXPECT_EQ(last, problem.result);
    EXPECT_THAT(problem.answer, ::testing::EndsWith("\n#### " + std::to_string(last)));
  }
  EXPECT_EQ(step_counts, (std::set<std::size_t>{1, 2, 3, 4}));
}

TEST(WordProblem, SidesShareNeitherNumbersNorQuestions) {
  const WordProblems problems;
  std::set<std::string> seen[2];
  for (const Side side : {Side::kTraining, Side::kHeldOut}) {
    Draw draw(3);
    for (int n = 0; n < 3000; ++n) {
      seen[side == Side::kHeldOut].insert(
          problems.draw(static_cast<std::size_t>(n) % problems.template_count(), side, draw)
              .numbers);
    }
  }
  for (const std::string& numbers : seen[1]) EXPECT_FALSE(seen[0].count(numbers)) << numbers;
}

TEST(WordProblem, BadTemplatesAreNamed) {
  const auto with = [](const std::string& work, const std::string& question) {
    return R"({"people": ["A", "B", "C", "D", "E", "F", "G", "H", "I"], "words": {}, "templates": [{"name": "t1",
      "numbers": {"a": [1, 9]}, "question": ")" +
           question + R"(", "steps": [["c", ")" + work + R"(", "{c!}"]]}]})";
  };
  const auto message = [](const std::string& json) {
    try {
      const WordProblems problems(json, "mine.json");
      Draw draw(1);
      problems.draw(0, Side::kTraining, draw);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(message(with("a + 1", "{a}?")), "no error");
  EXPECT_THAT(message(with("a plus 1", "{a}?")), HasSubstr("mine.json: t1: 'a plus 1'"));
  EXPECT_THAT(message(with("a + b", "{a}?")), HasSubstr("unknown number 'b'"));
  EXPECT_THAT(message(with("a + 1", "{who}?")), HasSubstr("unknown placeholder '{who}'"));
  EXPECT_THAT(message(with("a + 99", "{a}?")), HasSubstr("no training problem"));
  EXPECT_THAT(message("{}"), HasSubstr("mine.json: top level"));
}

}  // namespace
}  // namespace fbt::synthetic
