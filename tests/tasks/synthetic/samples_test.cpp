#include "tasks/synthetic/samples.h"

#include <gtest/gtest.h>

#include <set>

#include "base/file.h"
#include "base/json_lines.h"
#include "tests/support/paths.h"

namespace fbt::synthetic {
namespace {

TEST(Samples, Gsm8kRowsAreComplete) {
  std::set<std::string> questions;
  for_each_json_line(
      gsm8k_lines(Side::kHeldOut, 64, 9), "lines", [&](nlohmann::json&& row, std::size_t) {
        EXPECT_EQ(row.size(), 2u);
        questions.insert(row.at("question"));
        EXPECT_NE(row.at("answer").get<std::string>().find("\n#### "), std::string::npos);
      });
  EXPECT_EQ(questions.size(), 64u);
}

TEST(Samples, MbppRowsAreComplete) {
  int next = 11;
  for_each_json_line(mbpp_lines(Side::kHeldOut, 64, 11, 9), "lines",
                     [&](nlohmann::json&& row, std::size_t) {
                       EXPECT_EQ(row.at("task_id"), next++);
                       EXPECT_EQ(row.at("test_list").size(), 3u);
                       EXPECT_EQ(row.at("test_setup_code"), "");
                       EXPECT_TRUE(row.at("challenge_test_list").empty());
                       EXPECT_TRUE(row.at("code").get<std::string>().starts_with("def "));
                     });
  EXPECT_EQ(next, 75);
}

// The embedded samples are what the generators drew, all of it, in order: nobody
// picked the problems that a model solves.
TEST(Samples, EmbeddedOnesAreTheDrawOfOneSeed) {
  constexpr std::uint64_t kSeed = 2026;
  const std::filesystem::path folder = fbt::testing::source_dir() / "tasks" / "samples";
  EXPECT_EQ(read_file(folder / "gsm8k" / "test.jsonl"), gsm8k_lines(Side::kHeldOut, 64, kSeed));
  EXPECT_EQ(read_file(folder / "gsm8k" / "train.jsonl"), gsm8k_lines(Side::kTraining, 64, kSeed));
  EXPECT_EQ(read_file(folder / "mbpp" / "mbpp.jsonl"),
            mbpp_lines(Side::kTraining, 3, 2, kSeed) + mbpp_lines(Side::kHeldOut, 64, 11, kSeed));
}

}  // namespace
}  // namespace fbt::synthetic
