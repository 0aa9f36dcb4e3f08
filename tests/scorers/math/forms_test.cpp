// Whole kinds of forms that answers take, as tables.

#include <fstream>

#include <gtest/gtest.h>

#include "scorers/math/equivalence.h"
#include "tests/support/paths.h"

namespace fbt::scorers::math {
namespace {

void expect_table(const std::string& name, int least_pairs) {
  std::ifstream file(testing::source_dir() / "tests/scorers/math" / name);
  std::string line;
  int pairs = 0;
  for (int number = 1; std::getline(file, line); ++number) {
    if (line.empty() || line[0] == '#') continue;
    SCOPED_TRACE(name + ':' + std::to_string(number) + ": " + line);
    const bool equal = line.find("  ==  ") != std::string::npos;
    const std::size_t border = line.find(equal ? "  ==  " : "  !=  ");
    ASSERT_NE(border, std::string::npos);
    const std::string left = line.substr(0, border);
    const std::string right = line.substr(border + 6);
    const Verdict there = equivalent(left, right);
    const Verdict back = equivalent(right, left);
    EXPECT_EQ(there.equal, equal) << there.rule;
    EXPECT_EQ(back.equal, equal) << "the other way: " << back.rule;
    ++pairs;
  }
  EXPECT_GE(pairs, least_pairs);
}

TEST(Forms, FollowTheTableBothWaysRound) {
  expect_table("forms.txt", 300);
}

TEST(Forms, FollowTheTableByAnswerTypesBothWaysRound) {
  expect_table("answer_types.txt", 400);
}

TEST(Forms, FollowTheTableOfEllipsesBothWaysRound) {
  expect_table("ellipses.txt", 70);
}

}  // namespace
}  // namespace fbt::scorers::math
