#include "tasks/synthetic/training_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace fbt::synthetic {
namespace {

TEST(TrainingText, IsAFunctionOfSeedAndIndex) {
  const TrainingText one(1), again(1), two(2);
  std::set<std::string> documents;
  for (std::uint64_t i = 0; i < 200; ++i) {
    EXPECT_EQ(one.document(i), again.document(i));
    documents.insert(one.document(i));
    documents.insert(two.document(i));
  }
  EXPECT_EQ(documents.size(), 400u);
}

TEST(TrainingText, MixesTheThreeKinds) {
  const TrainingText text(3);
  int words = 0, python = 0;
  const int all = 2000;
  for (int i = 0; i < all; ++i) {
    const std::string document = text.document(static_cast<std::uint64_t>(i));
    words += document.starts_with("Question: ");
    python += document.starts_with("You are an expert Python programmer, and here is your task: ");
  }
  EXPECT_NEAR(words, 0.4 * all, 90);  // four standard deviations
  EXPECT_NEAR(python, 0.4 * all, 90);
}

TEST(EvaluationText, IsWrittenAsFewShotPromptsAre) {
  EXPECT_EQ(evaluation_text(WordProblem{"Why?", "So.\n#### 1", 1, ""}),
            "Question: Why?\nAnswer: So.\n#### 1");
  const PythonFunction function{"Do it.",
                                "f",
                                "def f(n):\n    return n",
                                {"assert f(1) == 1", "assert f(2) == 2", "assert f(3) == 3"},
                                ""};
  EXPECT_EQ(evaluation_text(function),
            "You are an expert Python programmer, and here is your task: Do it. Your code should "
            "pass these tests:\n\nassert f(1) == 1\nassert f(2) == 2\nassert f(3) == 3\n[BEGIN]\n"
            "def f(n):\n    return n\n[DONE]");
}

}  // namespace
}  // namespace fbt::synthetic
