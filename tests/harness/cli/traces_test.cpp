// fbt-eval traces over a results file.

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/results/simulate.h"
#include "tests/support/paths.h"
#include "tests/support/program.h"

namespace fbt {
namespace {

using ::testing::HasSubstr;

class TracesCommand : public ::testing::Test {
 protected:
  TracesCommand() : path_((folder_.path() / "r.sqlite").string()) {
    results::Store store(path_, results::OpenMode::kWrite);
    results::testing::write_run(store, results::testing::checkpoint("choices"),
                                results::testing::choice_plan(), {});
    for (const char* name : {"base", "tuned"}) {
      for (const char* mode : {"standard", "fused"}) {
        results::testing::write_run(store, results::testing::checkpoint(name),
                                    results::testing::greedy_plan(mode),
                                    {.trace_length = mode[0] == 'f' ? 200.0 : 100.0});
      }
    }
  }

  testing::ProgramResult traces(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"traces", "--db", path_});
    return testing::run_fbt_eval(arguments);
  }

  testing::TemporaryFolder folder_;
  std::string path_;
};

TEST_F(TracesCommand, PrintsOneObject) {
  const testing::ProgramResult result = traces({"--change", "base,tuned", "--format", "json"});
  ASSERT_EQ(result.status, 0) << result.errors;
  const auto json = nlohmann::json::parse(result.output);
  EXPECT_EQ(json.at("schema"), 1);
  EXPECT_EQ(json.at("lengths").size(), 2U * 2 * 3);   // checkpoints, modes, kinds of answers
  EXPECT_EQ(json.at("mode_changes").size(), 2U * 3);  // fused against standard
  ASSERT_EQ(json.at("checkpoint_changes").size(), 2U * 3);
  EXPECT_NEAR(json.at("mode_changes")[0].at("trace").at("change").get<double>(), 1.0, 0.3);
  EXPECT_EQ(json.at("checkpoint_changes")[0].at("from"), "base");
}

TEST_F(TracesCommand, RefusesWhatHasNoTraces) {
  const testing::ProgramResult choices = traces({"--checkpoints", "choices"});
  EXPECT_EQ(choices.status, 2);
  EXPECT_THAT(choices.errors, HasSubstr("no generated answers"));
  const testing::ProgramResult unknown = traces({"--change", "base,tund"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.errors, HasSubstr("tuned"));
}

}  // namespace
}  // namespace fbt
