#include "tasks/synthetic/samples.h"

#include <gtest/gtest.h>

#include <set>

#include "base/json_lines.h"

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

}  // namespace
}  // namespace fbt::synthetic
