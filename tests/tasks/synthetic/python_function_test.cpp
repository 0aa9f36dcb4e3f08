#include "tasks/synthetic/python_function.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>

#include "tasks/synthetic/pipeline.h"
#include "tests/support/paths.h"

namespace fbt::synthetic {
namespace {

TEST(PythonLiteral, IsAsPythonWrites) {
  EXPECT_EQ(python_literal(-7), "-7");
  EXPECT_EQ(python_literal(std::vector<int>{1, 2}), "[1, 2]");
  EXPECT_EQ(python_literal(std::vector<int>{}), "[]");
  EXPECT_EQ(python_literal(std::string("abc")), "'abc'");
}

// Python itself is the judge of the expected values.
TEST(PythonFunction, PythonPassesEveryReferenceSolution) {
  if (std::system("python3 -c '' 2>/dev/null") != 0) GTEST_SKIP() << "no python3 here";
  const fbt::testing::TemporaryFolder folder;
  const std::filesystem::path program = folder.path() / "all.py";
  {
    std::ofstream out(program);
    Draw draw(11);
    for (int i = 0; i < 1500; ++i) {
      const PythonFunction function =
          draw_python_function(i % 2 ? Side::kTraining : Side::kHeldOut, draw);
      out << function.code << "\n";
      for (const std::string& test : function.tests) out << test << "\n";
    }
  }
  EXPECT_EQ(std::system(("python3 " + program.string()).c_str()), 0);
}

TEST(PythonFunction, SidesShareNoSpec) {
  std::set<std::string> training;
  Draw draw(5);
  for (int i = 0; i < 5000; ++i) training.insert(draw_python_function(Side::kTraining, draw).spec);
  EXPECT_GT(training.size(), 1500u);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_FALSE(training.count(draw_python_function(Side::kHeldOut, draw).spec));
  }
}

}  // namespace
}  // namespace fbt::synthetic
