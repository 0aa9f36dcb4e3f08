#include "results/compare/matched_budget.h"

#include <cmath>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/results/simulate.h"
#include "tests/support/paths.h"

namespace fbt::results {
namespace {

using ::testing::HasSubstr;

class MatchedBudgetTest : public ::testing::Test {
 protected:
  void write(const std::string& name, double tokens, const std::string& family, const Plan& plan,
             double right, std::uint64_t seed = 1) {
    testing::write_run(
        store_, testing::checkpoint(name, tokens, family), plan,
        {.documents = 200, .seed = seed, .right = [right](int, double) { return right; }});
  }
  std::vector<RunData> runs() const {
    std::vector<RunData> runs;
    for (const RunRecord& run : store_.runs()) runs.push_back(load_run(store_, run));
    return runs;
  }

  fbt::testing::TemporaryFolder folder_;
  Store store_{folder_.path() / "r.sqlite", OpenMode::kWrite};
};

Plan choice(const std::string& mode, const std::string& task = "arc_easy",
            TaskGroup::Mean mean = TaskGroup::Mean::kPlain) {
  Plan plan = testing::choice_plan(task, mode);
  plan.groups = {{"both", {"arc_easy", "piqa"}, mean}};
  return plan;
}

TEST_F(MatchedBudgetTest, PairsTWithTwoT) {
  write("fbt-200", 200e9, "full-bandwidth", choice("fused"), 0.9);
  write("fbt-200", 200e9, "full-bandwidth", choice("standard"), 0.5);
  write("std-400", 400e9, "standard", choice("standard"), 0.5);
  write("std-1000", 1e12, "standard", choice("standard"), 0.5);
  write("std-200", 200e9, "standard", choice("standard"), 0.5);

  const std::vector<MatchedPair> pairs = matched_budget(runs());
  ASSERT_EQ(pairs.size(), 2U);  // and no mean of a group with one of its two tasks
  for (const MatchedPair& pair : pairs) {
    EXPECT_EQ(pair.standard, "std-400");
    EXPECT_EQ(pair.full_bandwidth, "fbt-200");
    EXPECT_FALSE(pair.is_group);
    EXPECT_NEAR(pair.comparison.difference, pair.full_bandwidth_score - pair.standard_score, 1e-12);
    EXPECT_EQ(pair.comparison.p < 0.001, pair.mode == "fused");
  }
  const std::string table = render(matched_budget_table(pairs), TableFormat::kMarkdown);
  EXPECT_THAT(table, HasSubstr("400B"));
  EXPECT_EQ(matched_budget_json(pairs).size(), 2U);
}

TEST_F(MatchedBudgetTest, AveragesGroups) {
  std::uint64_t seed = 1;
  for (const char* task : {"arc_easy", "piqa"}) {
    write("fbt", 200e9, "full-bandwidth", choice("fused", task), 0.7, ++seed);
    write("std", 400e9, "standard", choice("standard", task), 0.5, ++seed);
  }
  // Other questions of the same tasks, which are no part of this group's mean.
  Plan few = choice("fused");
  few.shots += 5;
  write("fbt", 200e9, "full-bandwidth", few, 0.1);

  const std::vector<MatchedPair> pairs = matched_budget(runs());
  ASSERT_EQ(pairs.size(), 3U);
  const MatchedPair& group = pairs[2];
  EXPECT_TRUE(group.is_group);
  EXPECT_EQ(group.task, "both");
  EXPECT_NEAR(group.standard_score, (pairs[0].standard_score + pairs[1].standard_score) / 2, 1e-12);
  EXPECT_NEAR(group.comparison.difference,
              (pairs[0].comparison.difference + pairs[1].comparison.difference) / 2, 1e-12);
  // The variances of independent tasks add up.
  EXPECT_NEAR(
      group.comparison.standard_error,
      std::hypot(pairs[0].comparison.standard_error, pairs[1].comparison.standard_error) / 2,
      1e-12);
  for (const MatchedPair& pair : pairs) EXPECT_GE(pair.p_adjusted, pair.comparison.p);
}

TEST_F(MatchedBudgetTest, SizeWeightedGroupStandsForItsTasks) {
  for (const char* task : {"arc_easy", "piqa"}) {
    write("fbt", 200e9, "full-bandwidth", choice("fused", task, TaskGroup::Mean::kSizeWeighted),
          0.7);
    write("std", 400e9, "standard", choice("standard", task, TaskGroup::Mean::kSizeWeighted), 0.5);
  }
  const std::vector<MatchedPair> pairs = matched_budget(runs());
  ASSERT_EQ(pairs.size(), 1U);
  EXPECT_EQ(pairs[0].task, "both");
  EXPECT_EQ(pairs[0].comparison.documents, 400U);
}

}  // namespace
}  // namespace fbt::results
