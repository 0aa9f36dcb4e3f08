#include "scorers/math/extract.h"

#include <gtest/gtest.h>

namespace fbt::scorers::math {
namespace {

struct Case {
  const char* completion;
  const char* answer;  // nullptr: none
  const char* rule;
};

TEST(ExtractAnswer, FollowsTheRulesInOrder) {
  const Case cases[] = {
      {R"(First $\boxed{1}$, but no: $\boxed{\frac{2}{3}}$.)", R"(\frac{2}{3})", "boxed"},
      {R"(so $\boxed{3}$ and $\boxed{4}$.)", "3, 4", "boxes"},
      {R"(\boxed{3} apples and \boxed{4})", "3, 4", "boxes"},
      {R"(First \boxed{3}. Then I saw that it is \boxed{4})", "4", "boxed"},
      {R"(It is $\boxed{\frac{1}{2}$)", R"(\frac{1}{2})", "open_box"},
      {"<answer> 12 </answer>", "12", "tag"},
      {"Thus 3 + 4 = 7.\nFinal Answer: The final answer is $7$. I hope it is correct.", "7",
       "final_answer"},
      {"The answer is 7.25.", "7.25", "final_answer"},
      {"The answer is **B**.", "B", "final_answer"},
      {"Answer:\n\\[x + 1\\]", "x + 1", "final_answer"},
      {"Final answer: the volume of $ABCD$ is 120.", "120", "final_answer"},
      {"The final answers are $2$ and $5$.", "2$ and $5", "final_answer"},
      {"12 + 30 = 42\n#### 42", "42", "hashes"},
      {"Comparing both, it must be **Ada**", "Ada", "bold"},
      {"42", "42", "whole"},
      {R"(\frac{3}{4})", R"(\frac{3}{4})", "whole"},
      {"We get $x = 3$, hence the area is $9\\pi$.", "9\\pi", "last_math"},
      {"The coat was $80 and is now sold for $64 in the shop.", "$64", "last_number"},
      {"The temperature falls to \xE2\x88\x92"
       "3 at night.",
       "\xE2\x88\x92"
       "3",
       "last_number"},
      {"The fastest runner is Ada.", "Ada", "predicate"},
      {"<think>perhaps 3</think> It is \\boxed{4}", "4", "boxed"},
      {"It is \\boxed{4}.\n\nProblem: What is 1+1?\nSolution: \\boxed{2}", "4", "boxed"},
      {"The answer is 4.<|im_end|> The answer is 5.", "4", "final_answer"},
      {"", nullptr, nullptr},
      {"  \n", nullptr, nullptr},
      {"I really cannot say what to do about this one", nullptr, nullptr},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.completion);
    const auto extraction = extract_answer(c.completion);
    ASSERT_EQ(extraction.has_value(), c.answer != nullptr);
    if (!extraction) continue;
    EXPECT_EQ(extraction->answer, c.answer);
    EXPECT_EQ(extraction->rule, c.rule);
  }
}

TEST(ExtractAnswer, TellsWhereTheAnswerStarts) {
  EXPECT_EQ(extract_answer("Hence \\boxed{7}.")->offset, 6u);
  EXPECT_EQ(extract_answer("<think>5</think>Hence \\boxed{7}.")->offset, 22u);
  EXPECT_EQ(extract_answer("The answer is 7.")->offset, 14u);
  EXPECT_EQ(extract_answer("a \\boxed{1}, \\boxed{2}")->offset, 2u);
}

}  // namespace
}  // namespace fbt::scorers::math
