// The benchmarks' own reference solutions, and broken ones made of them.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "base/json_lines.h"
#include "scorers/code.h"
#include "tests/sandbox/support.h"
#include "tests/support/paths.h"

namespace fbt::sandbox {
namespace {

using nlohmann::json;

struct Problem {
  std::string id;
  std::string code;  // the reference solution, whole
  std::string test;
};

std::vector<Problem> human_eval() {
  std::vector<Problem> problems;
  for_each_json_line(
      testing::shared_dir() / "data/humaneval/HumanEval.jsonl", [&](json&& row, std::size_t) {
        problems.push_back(
            {row["task_id"],
             row["prompt"].get<std::string>() + row["canonical_solution"].get<std::string>(),
             row["test"].get<std::string>() + "\ncheck(" + row["entry_point"].get<std::string>() +
                 ")"});
      });
  return problems;
}

std::vector<Problem> mbpp() {
  std::vector<Problem> problems;
  for_each_json_line(testing::shared_dir() / "data/mbpp/mbpp.jsonl", [&](json&& row, std::size_t) {
    problems.push_back({std::to_string(row["task_id"].get<int>()), row["code"],
                        scorers::mbpp_program("", row["test_setup_code"].get<std::string>(),
                                              row["test_list"].get<std::vector<std::string>>())});
  });
  return problems;
}

// The verdict of each program, by place.
std::vector<Verdict> run_all(const std::vector<std::string>& programs, const Options& options) {
  std::vector<Verdict> verdicts(programs.size());
  Pool pool(options);
  for (std::size_t i = 0; i < programs.size(); ++i) {
    pool.submit({programs[i], {}, {}},
                [&verdicts, i](Verdict&& verdict) { verdicts[i] = std::move(verdict); });
  }
  pool.wait();
  return verdicts;
}

void expect_all_pass(const std::vector<Problem>& problems,
                     const std::map<std::string, std::string>& exceptions) {
  std::vector<std::string> programs;
  for (const Problem& problem : problems) programs.push_back(problem.code + "\n" + problem.test);
  Options options = test_options();
  options.limits = Limits{};
  options.limits.wall_seconds = 20;  // the machine may be busy; exceptions are named below
  const std::vector<Verdict> verdicts = run_all(programs, options);
  for (std::size_t i = 0; i < problems.size(); ++i) {
    if (exceptions.contains(problems[i].id)) continue;
    EXPECT_TRUE(verdicts[i].passed()) << problems[i].id << ": " << verdicts[i].detail;
    EXPECT_LT(verdicts[i].cpu_seconds, 3) << problems[i].id << " needs a line among the exceptions";
  }
}

TEST(BenchmarkPrograms, HumanEvalReferenceSolutionsPass) {
  FBT_REQUIRE_SHARED("data/humaneval/HumanEval.jsonl");
  ASSERT_EQ(human_eval().size(), 164U);
  expect_all_pass(human_eval(), {});
}

TEST(BenchmarkPrograms, MbppReferenceSolutionsPass) {
  FBT_REQUIRE_SHARED("data/mbpp/mbpp.jsonl");
  ASSERT_EQ(mbpp().size(), 974U);
  expect_all_pass(mbpp(),
                  {{"123", "sums amicable numbers by trial division: three seconds of CPU"}});
}

// Mutants and what a bare interpreter makes of them (mutants.py).
json bare_outcomes(const std::vector<Problem>& problems, const Limits& limits) {
  const testing::TemporaryFolder folder;
  json input = json::array();
  for (const Problem& problem : problems) {
    input.push_back({{"code", problem.code}, {"test", problem.test}});
  }
  write_file_atomically(folder.path() / "in.json", dump_json(input));
  const std::string command =
      fmt::format("/usr/bin/python3 {} {} {} < {} > {}",
                  (testing::source_dir() / "tests/sandbox/mutants.py").string(),
                  limits.wall_seconds, limits.memory_bytes, (folder.path() / "in.json").string(),
                  (folder.path() / "out.json").string());
  EXPECT_EQ(std::system(command.c_str()), 0);
  return parse_json(read_file(folder.path() / "out.json"), "mutants");
}

std::string outcome(const Verdict& verdict) {
  switch (verdict.kind) {
    case VerdictKind::kPassed:
      return "passed";
    case VerdictKind::kTimeout:
      return "timeout";
    case VerdictKind::kHarnessFault:
      return "harness fault";
    default:
      return "failed";
  }
}

// Every problem with FBT_ALL_MUTANTS, which takes half an hour (endless loops
// wait for their timeout twice); a few in the suite.
std::vector<Problem> chosen(std::vector<Problem> problems) {
  if (std::getenv("FBT_ALL_MUTANTS") != nullptr) return problems;
  std::vector<Problem> some;
  for (std::size_t i = 3; i < problems.size(); i += problems.size() / 5) {
    some.push_back(problems[i]);
  }
  return some;
}

void expect_agreement(const std::vector<Problem>& problems) {
  Options options = test_options();
  options.limits.memory_bytes = 1 << 30;
  const json bare = bare_outcomes(chosen(problems), options.limits);
  std::vector<std::string> programs;
  for (const json& each : bare) programs.push_back(each["program"]);
  const std::vector<Verdict> verdicts = run_all(programs, options);
  std::map<std::string, int> counts;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    ++counts[outcome(verdicts[i])];
    // Which limit an endlessly growing program meets first is a matter of speed.
    if (verdicts[i].kind == VerdictKind::kMemory && bare[i]["outcome"] == "timeout") continue;
    EXPECT_EQ(outcome(verdicts[i]), bare[i]["outcome"].get<std::string>())
        << verdicts[i].detail << "\n"
        << i;
  }
  // The mutants are of every sort, or the comparison says little.
  EXPECT_GT(counts["failed"], 0);
  EXPECT_GT(counts["timeout"], 0);
}

TEST(BenchmarkPrograms, HumanEvalMutantsEndAsInABareInterpreter) {
  FBT_REQUIRE_SHARED("data/humaneval/HumanEval.jsonl");
  expect_agreement(human_eval());
}

TEST(BenchmarkPrograms, MbppMutantsEndAsInABareInterpreter) {
  FBT_REQUIRE_SHARED("data/mbpp/mbpp.jsonl");
  expect_agreement(mbpp());
}

}  // namespace
}  // namespace fbt::sandbox
