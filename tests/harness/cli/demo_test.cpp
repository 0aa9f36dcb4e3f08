// The checkpoint that is shipped, through the program.

#include <cmath>
#include <sstream>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "tests/support/paths.h"
#include "tests/support/program.h"

namespace fbt {
namespace {

// Convergence: over 30 feedback steps the states come to rest, and what they
// predict stays far better than guessing.
TEST(Demo, StatesSettleOverThirtyFeedbackSteps) {
  const testing::TemporaryFolder folder;
  const testing::ProgramResult documents =
      testing::run_fbt_eval({"synthetic", "text", "--count", "4", "--seed", "77"});
  ASSERT_EQ(documents.status, 0) << documents.errors;
  std::string text, line;
  for (std::istringstream lines(documents.output); std::getline(lines, line);) {
    text += nlohmann::json::parse(line).at("text").get<std::string>() + "\n\n";
  }
  write_file_atomically(folder.path() / "text", text);
  const testing::ProgramResult result = testing::run_fbt_eval(
      {"stability", "--checkpoint", (testing::source_dir() / "demo").string(), "--text",
       (folder.path() / "text").string(), "--steps", "30", "--window", "192", "--windows", "2",
       "--threads", "1", "--db", (folder.path() / "r.sqlite").string(), "--format", "json"});
  ASSERT_EQ(result.status, 0) << result.errors;
  const auto json = nlohmann::json::parse(result.output);
  const auto change = json.at("state_change").get<std::vector<double>>();
  const auto loss = json.at("loss").get<std::vector<double>>();
  ASSERT_EQ(change.size(), 31U);
  EXPECT_GT(change[1], 1);
  EXPECT_LT(change[30], 0.1 * change[1]);
  for (const double value : loss) EXPECT_LT(value, std::log(1536.0) / 2);
}

}  // namespace
}  // namespace fbt
