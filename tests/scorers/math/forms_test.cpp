// Whole kinds of forms that answers take, as a table: see forms.txt.

#include <fstream>

#include <gtest/gtest.h>

#include "scorers/math/equivalence.h"
#include "tests/support/paths.h"

namespace fbt::scorers::math {
namespace {

TEST(Forms, FollowTheTableBothWaysRound) {
  std::ifstream file(testing::source_dir() / "tests/scorers/math/forms.txt");
  std::string line;
  int pairs = 0;
  for (int number = 1; std::getline(file, line); ++number) {
    if (line.empty() || line[0] == '#') continue;
    SCOPED_TRACE("forms.txt:" + std::to_string(number) + ": " + line);
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
  EXPECT_GT(pairs, 300);
}

}  // namespace
}  // namespace fbt::scorers::math
