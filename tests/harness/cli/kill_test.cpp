// kill -9 at random moments during a run: nothing is lost or doubled, and the
// final table equals that of an undisturbed run.

#include <random>

#include <gmock/gmock.h>

#include "tests/support/paths.h"
#include "tests/support/program.h"

namespace fbt {
namespace {

std::vector<std::string> run_of_forty_problems(const std::string& database) {
  return {"run",
          "--tasks",
          "gsm8k,mbpp",
          "--mode",
          "standard,fused",
          "--limit",
          "20",
          "--samples",
          "1",
          "--temperatures",
          "0.5",
          "--k",
          "1",
          "--max-new-tokens",
          "24",
          "--db",
          database};
}

TEST(KilledRun, EndsWithTheSameTable) {
  const testing::TemporaryFolder folder;
  const auto whole = testing::run_fbt_eval(run_of_forty_problems(folder.path() / "whole.sqlite"));
  ASSERT_EQ(whole.status, 0) << whole.errors;

  const std::string database = folder.path() / "killed.sqlite";
  std::mt19937 random(7);
  int killed = 0;
  for (int i = 0; i < 10; ++i) {
    const double after = std::uniform_real_distribution(0.2, 2.5)(random);
    killed += testing::run_fbt_eval(run_of_forty_problems(database), "", after).status == 128 + 9;
  }
  const auto resumed = testing::run_fbt_eval(run_of_forty_problems(database));
  ASSERT_EQ(resumed.status, 0) << resumed.errors;
  EXPECT_EQ(resumed.output, whole.output);
  EXPECT_GT(killed, 2);
}

}  // namespace
}  // namespace fbt
