// merge, gate and export as a user runs them: exit status, outputs, files.

#include <algorithm>

#include <gmock/gmock.h>

#include "base/file.h"
#include "tests/results/simulate.h"
#include "tests/support/paths.h"
#include "tests/support/program.h"

namespace fbt {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class ResultsCommands : public ::testing::Test {
 protected:
  std::string file(const std::string& name) const { return folder_.path() / name; }

  void write(const std::string& name, const std::string& checkpoint,
             const results::testing::Simulation& simulation) {
    results::Store store(file(name), results::OpenMode::kWrite);
    results::testing::write_run(store, results::testing::checkpoint(checkpoint),
                                results::testing::greedy_plan(), simulation);
  }

  // Right on this share of the documents, always the same ones.
  static results::testing::Simulation skilled(double share, int documents = 400) {
    return {.documents = documents, .right = [share](int document, double) {
              return document * 37 % 100 < share * 100 ? 1.0 : 0.0;
            }};
  }

  testing::TemporaryFolder folder_;
};

TEST_F(ResultsCommands, GateAnswersWithItsExitStatus) {
  write("r", "base", skilled(0.6));
  write("r", "equal", skilled(0.6));
  write("r", "worse", skilled(0.4));
  write("r", "partial", {.documents = 400, .stop_before = 300});
  const auto gate = [&](const std::string& candidate, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments = {"gate", "--db",        file("r"), "--baseline",
                                          "base", "--candidate", candidate};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return testing::run_fbt_eval(arguments);
  };
  const auto equal = gate("equal", {"--markdown", file("m.md"), "--junit", file("j.xml")});
  EXPECT_EQ(equal.status, 0) << equal.errors;
  EXPECT_THAT(equal.output, StartsWith("PASS: equal (candidate) against base (baseline)"));
  EXPECT_THAT(read_file(file("m.md")), StartsWith("### Gate: PASS"));
  EXPECT_THAT(read_file(file("j.xml")), HasSubstr("failures=\"0\" errors=\"0\""));

  const auto worse = gate("worse", {"--junit", file("j.xml")});
  EXPECT_EQ(worse.status, 1);
  EXPECT_THAT(worse.output, StartsWith("FAIL"));
  EXPECT_THAT(read_file(file("j.xml")), HasSubstr("failures=\"1\""));

  const auto partial = gate("partial");
  EXPECT_EQ(partial.status, 2);
  EXPECT_THAT(partial.output, HasSubstr("incomplete (300 of 400 documents)"));

  const auto unknown = gate("equa");
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.errors, HasSubstr("did you mean equal"));

  write_file_atomically(file("p.json"), R"({"schema": 1, "defaults": {"margn": 0.1}})");
  const auto policy = gate("equal", {"--policy", file("p.json")});
  EXPECT_EQ(policy.status, 2);
  EXPECT_THAT(policy.errors, HasSubstr("p.json: 'defaults': unknown key 'margn'"));
}

TEST_F(ResultsCommands, GateTakesFilesForTheTwoSides) {
  write("old", "a", skilled(0.6));
  write("new", "a", skilled(0.6));  // the same weights, evaluated again
  write("two", "a", skilled(0.6));
  write("two", "b", skilled(0.6));
  const auto pass = testing::run_fbt_eval(
      {"gate", "--baseline", file("old"), "--candidate", file("new"), "--format", "json"});
  EXPECT_EQ(pass.status, 0) << pass.errors;
  EXPECT_THAT(pass.output, HasSubstr("\"verdict\":\"pass\""));
  const auto several =
      testing::run_fbt_eval({"gate", "--baseline", file("two"), "--candidate", file("new")});
  EXPECT_EQ(several.status, 2);
  EXPECT_THAT(several.errors, HasSubstr("stands for several checkpoints"));
}

TEST_F(ResultsCommands, MergedShardsCompareAsTheWholeRun) {
  results::testing::Simulation simulation = skilled(0.6);
  write("whole", "a", simulation);
  simulation.shards = 3;
  for (simulation.shard = 0; simulation.shard < 3; ++simulation.shard) {
    write("s" + std::to_string(simulation.shard), "a", simulation);
  }
  const auto merged =
      testing::run_fbt_eval({"merge", "--out", file("all"), file("s0"), file("s1"), file("s2")});
  EXPECT_EQ(merged.status, 0) << merged.errors;
  EXPECT_EQ(merged.output, "");
  EXPECT_THAT(merged.errors, HasSubstr("400 documents, 400 completions"));
  const auto table = [&](const char* name) {
    return testing::run_fbt_eval({"compare", "--db", file(name)}).output;
  };
  EXPECT_EQ(table("all"), table("whole"));

  write_file_atomically(file("x"), "no database");
  const auto refused = testing::run_fbt_eval({"merge", "--out", file("all"), file("x")});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.errors, HasSubstr("is not a results file"));
}

TEST_F(ResultsCommands, ExportWritesLinesAndFolders) {
  write("r", "a", {.documents = 5});
  const auto lines = testing::run_fbt_eval({"export", "samples", "--db", file("r")});
  EXPECT_EQ(lines.status, 0) << lines.errors;
  EXPECT_EQ(std::count(lines.output.begin(), lines.output.end(), '\n'), 5);
  const auto files = testing::run_fbt_eval(
      {"export", "lm-eval", "--db", file("r"), "--out", file("out"), "--samples"});
  EXPECT_EQ(files.status, 0) << files.errors;
  EXPECT_THAT(files.errors, AllOf(HasSubstr("/a/results_"), HasSubstr("/a/samples_gsm8k_")));
}

}  // namespace
}  // namespace fbt
