// The checkpoint that is shipped, through the program.

#include <algorithm>
#include <sstream>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "tests/support/paths.h"
#include "tests/support/program.h"

namespace fbt {
namespace {

// Convergence: within 30 feedback steps the states come to rest, over 1,000 they
// stay there, and what they predict stays near what plain states predict.
TEST(Demo, StatesSettleOverThirtyAndAThousandFeedbackSteps) {
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
       (folder.path() / "text").string(), "--steps", "1000", "--window", "128", "--windows", "1",
       "--threads", "1", "--db", (folder.path() / "r.sqlite").string(), "--format", "json"});
  ASSERT_EQ(result.status, 0) << result.errors;
  const auto json = nlohmann::json::parse(result.output);
  const auto change = json.at("state_change").get<std::vector<double>>();
  const auto loss = json.at("loss").get<std::vector<double>>();
  EXPECT_EQ(json.at("verdict"), "converges to a plateau");
  EXPECT_LT(json.at("settled_step").get<int>(), 30);
  ASSERT_EQ(change.size(), 1001U);
  EXPECT_GT(change[1], 1);
  EXPECT_LT(change[30], 1e-3 * change[1]);
  EXPECT_LE(*std::max_element(change.begin() + 30, change.end()), change[30]);
  EXPECT_LT(*std::max_element(loss.begin(), loss.end()), loss[0] + 0.25);
}

}  // namespace
}  // namespace fbt
