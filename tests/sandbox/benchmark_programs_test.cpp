// The benchmarks' own reference solutions, and broken ones made of them.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <map>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
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
std::vector<Verdict> run_all(const std::vector<Program>& programs, const Options& options) {
  std::vector<Verdict> verdicts(programs.size());
  Pool pool(options);
  for (std::size_t i = 0; i < programs.size(); ++i) {
    pool.submit(programs[i],
                [&verdicts, i](Verdict&& verdict) { verdicts[i] = std::move(verdict); });
  }
  pool.wait();
  return verdicts;
}

void expect_all_pass(const std::vector<Problem>& problems,
                     const std::map<std::string, std::string>& exceptions) {
  std::vector<Program> programs;
  for (const Problem& problem : problems) {
    programs.push_back({problem.code + "\n" + problem.test, {}, {}});
  }
  Options options = test_options();
  options.limits.memory_bytes = Limits{}.memory_bytes;
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

// What a bare interpreter made of it (mutants.py).
struct Mutant {
  std::string id;    // the problem's
  std::string kind;  // "operator", "return", "loop"
  std::string program;
  std::string bare_outcome;
};

constexpr int kBareCpuSeconds = 1;

// The two must not race against the same clock. A program that a bare interpreter
// ended within its CPU time gets far more here, however busy the machine is; one
// that it could not end gets far less wall clock than that CPU time.
constexpr double kAmpleSeconds = 120;
constexpr double kScarceSeconds = 0.25;

std::vector<Mutant> mutants_of(std::span<const Problem> problems, std::uint64_t memory_bytes) {
  const testing::TemporaryFolder folder;
  json input = json::array();
  for (const Problem& problem : problems) {
    input.push_back({{"id", problem.id}, {"code", problem.code}, {"test", problem.test}});
  }
  write_file_atomically(folder.path() / "in.json", dump_json(input));
  const std::string command = fmt::format(
      "/usr/bin/python3 {} {} {} < {} > {}",
      (testing::source_dir() / "tests/sandbox/mutants.py").string(), kBareCpuSeconds, memory_bytes,
      (folder.path() / "in.json").string(), (folder.path() / "out.json").string());
  EXPECT_EQ(std::system(command.c_str()), 0);
  std::vector<Mutant> mutants;
  for (const json& row : parse_json(read_file(folder.path() / "out.json"), "mutants")) {
    mutants.push_back({row["id"], row["kind"], row["program"], row["outcome"]});
  }
  return mutants;
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

// Every problem with FBT_ALL_MUTANTS, which takes half an hour (endless loops run
// until they are stopped, twice); in the suite a few, the same ones each time.
std::vector<Problem> chosen(const std::vector<Problem>& problems) {
  if (std::getenv("FBT_ALL_MUTANTS") != nullptr) return problems;
  std::vector<Problem> some;
  std::sample(problems.begin(), problems.end(), std::back_inserter(some), 8, std::mt19937_64(4));
  return some;
}

// How many mutants of each kind ended in each way.
using Counts = std::map<std::string, int>;

void expect_agreement(std::span<const Problem> problems, Counts& counts) {
  Options options = test_options();
  options.limits.memory_bytes = 1 << 30;
  const std::vector<Mutant> mutants = mutants_of(problems, options.limits.memory_bytes);
  std::vector<Program> programs;
  for (const Mutant& mutant : mutants) {
    Limits limits = options.limits;
    limits.wall_seconds = mutant.bare_outcome == "timeout" ? kScarceSeconds : kAmpleSeconds;
    programs.push_back({mutant.program, {}, limits});
  }
  const std::vector<Verdict> verdicts = run_all(programs, options);
  for (std::size_t i = 0; i < mutants.size(); ++i) {
    ++counts[mutants[i].kind + " " + mutants[i].bare_outcome];
    EXPECT_EQ(outcome(verdicts[i]), mutants[i].bare_outcome)
        << mutants[i].id << ", " << mutants[i].kind << ": " << verdicts[i].detail;
  }
}

// In pieces, so that a long run shows how far it has come.
constexpr std::size_t kPiece = 40;

void expect_agreement(const std::vector<Problem>& problems) {
  Counts counts;
  for (std::size_t begin = 0; begin < problems.size(); begin += kPiece) {
    const std::size_t size = std::min(kPiece, problems.size() - begin);
    expect_agreement(std::span(problems).subspan(begin, size), counts);
    fmt::print("{} of {} problems: {}\n", begin + size, problems.size(), fmt::join(counts, ", "));
    std::fflush(stdout);
  }
  // The mutants are of every sort, or the comparison says little.
  EXPECT_GT(counts["operator failed"], 0);
  EXPECT_GT(counts["return failed"], 0);
  EXPECT_GT(counts["loop timeout"], 0);
}

TEST(BenchmarkPrograms, HumanEvalMutantsEndAsInABareInterpreter) {
  FBT_REQUIRE_SHARED("data/humaneval/HumanEval.jsonl");
  expect_agreement(chosen(human_eval()));
}

TEST(BenchmarkPrograms, MbppMutantsEndAsInABareInterpreter) {
  FBT_REQUIRE_SHARED("data/mbpp/mbpp.jsonl");
  expect_agreement(chosen(mbpp()));
}

}  // namespace
}  // namespace fbt::sandbox
