// Group means in the run's summary: nested, weighted, and the tasks they stand for.

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "results/summary/summary.h"
#include "tests/results/simulate.h"
#include "tests/support/paths.h"

namespace fbt::results {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr auto kWeighted = TaskGroup::Mean::kSizeWeighted;

// rte and an MMLU of three subjects in two groups, as lm-eval-10 has them.
class GroupRows : public ::testing::Test {
 protected:
  // `right` of `documents` documents in both modes; the first `cut` lose part of their prompt.
  void add(const std::string& task, std::vector<std::string> groups, int documents, int right,
           int cut = 0) {
    const std::map<std::string, TaskGroup> known = {
        {"ten", {"ten", {"rte", "mmlu"}}},
        {"mmlu", {"mmlu", {"mmlu_stem", "mmlu_other"}, kWeighted}},
        {"mmlu_stem", {"mmlu_stem", {"mmlu_physics", "mmlu_algebra"}, kWeighted}},
        {"mmlu_other", {"mmlu_other", {"mmlu_marketing", "mmlu_virology"}, kWeighted}}};
    for (const char* mode : {"standard", "fused"}) {
      Plan plan = testing::choice_plan(task, mode);
      for (const std::string& group : groups) plan.groups.push_back(known.at(group));
      const RunId run =
          store_.get_or_create_run(store_.get_or_create_checkpoint(testing::checkpoint("a")),
                                   store_.get_or_create_plan(plan), documents);
      Batch batch;
      for (int d = 0; d < documents; ++d) {
        batch.documents.push_back({d, "", "p", "t", 5, d < cut ? 3 : 0});
        for (const char* metric : {"acc", "acc_norm"}) {
          batch.scores.push_back({d, 0, metric, d < right ? 1.0 : 0.0});
        }
      }
      store_.append(run, batch);
      runs_.push_back(run);
    }
  }

  void add_all() {
    add("rte", {"ten"}, 10, 6);
    add("mmlu_physics", {"ten", "mmlu", "mmlu_stem"}, 4, 2, 1);
    add("mmlu_algebra", {"ten", "mmlu", "mmlu_stem"}, 12, 3, 2);
    add("mmlu_marketing", {"ten", "mmlu", "mmlu_other"}, 8, 8);
    add("mmlu_virology", {"ten", "mmlu", "mmlu_other"}, 8, 4);
  }

  Summary summary() const { return summarize(store_, runs_); }

  fbt::testing::TemporaryFolder folder_;
  Store store_{folder_.path() / "r.sqlite", OpenMode::kWrite};
  std::vector<RunId> runs_;
};

TEST_F(GroupRows, WeighSubjectsBySizeAndMembersEqually) {
  add_all();
  std::vector<std::string> names;
  std::map<std::string, GroupRow> standard;
  for (const GroupRow& row : summary().groups) {
    names.push_back(row.group + " " + row.mode);
    if (row.mode == "standard") standard[row.group] = row;
  }
  EXPECT_THAT(names, ElementsAre("ten standard", "ten fused", "mmlu standard", "mmlu fused",
                                 "mmlu_stem standard", "mmlu_stem fused", "mmlu_other standard",
                                 "mmlu_other fused"));
  EXPECT_DOUBLE_EQ(standard["mmlu_stem"].score.value, 5.0 / 16);
  EXPECT_DOUBLE_EQ(standard["mmlu"].score.value, 17.0 / 32);
  EXPECT_DOUBLE_EQ(standard["ten"].score.value, (0.6 + 17.0 / 32) / 2);
  EXPECT_EQ(standard["mmlu"].documents, 32);
  EXPECT_EQ(standard["mmlu"].cut_prompts, 3);
  EXPECT_EQ(standard["mmlu"].metric, "acc");
  EXPECT_EQ(standard["ten"].members, 2);

  // By hand. Residuals of the four subjects' documents from 17/32:
  // 4 (1/2 - 17/32) = -1/8, 12 (1/4 - 17/32) = -27/8, 8 · 15/32 = 15/4, 8 (-1/32) = -1/4.
  const double squares = 1.0 / 64 + 729.0 / 64 + 225.0 / 16 + 1.0 / 16;
  EXPECT_DOUBLE_EQ(standard["mmlu"].score.standard_error, std::sqrt(squares * 4 / 3) / 32);
  // Squared deviations within the subjects: 4/4, 12 · 3/16, 0, 8/4; pooled over 32 - 4.
  EXPECT_DOUBLE_EQ(*standard["mmlu"].pooled_standard_error,
                   std::sqrt((1 + 2.25 + 0 + 2) / 28 / 32));
  EXPECT_FALSE(standard["ten"].pooled_standard_error);
}

TEST_F(GroupRows, AreLeftOutWhereATaskIsMissing) {
  add("rte", {"ten"}, 10, 6);
  add("mmlu_physics", {"ten", "mmlu", "mmlu_stem"}, 4, 2);
  add("mmlu_algebra", {"ten", "mmlu", "mmlu_stem"}, 12, 3);
  add("mmlu_virology", {"ten", "mmlu", "mmlu_other"}, 8, 4);
  std::vector<std::string> names;
  for (const GroupRow& row : summary().groups) names.push_back(row.group);
  EXPECT_THAT(names, ElementsAre("mmlu_stem", "mmlu_stem"));
}

TEST_F(GroupRows, StandForTheirSubjectsInTheTable) {
  add_all();
  const std::string folded = render(summary_table(summary()), TableFormat::kTerminal);
  EXPECT_THAT(folded, HasSubstr("mmlu_other"));
  EXPECT_THAT(folded, HasSubstr("rte"));
  EXPECT_THAT(folded, HasSubstr("2 tasks"));
  EXPECT_THAT(folded, Not(HasSubstr("mmlu_physics")));
  const std::string all =
      render(summary_table(summary(), {.subjects = true}), TableFormat::kTerminal);
  EXPECT_THAT(all, HasSubstr("mmlu_physics"));
}

TEST_F(GroupRows, AreInTheJson) {
  add_all();
  const auto groups = nlohmann::json::parse(summary_json(summary())).at("groups");
  ASSERT_EQ(groups.size(), 8U);
  EXPECT_EQ(groups[0].at("mean"), "plain");
  EXPECT_TRUE(groups[0].at("pooled_standard_error").is_null());
  EXPECT_EQ(groups[0].at("tasks"), 5);
  EXPECT_EQ(groups[0].at("members"), 2);
  EXPECT_EQ(groups[2].at("mean"), "size_weighted");
  EXPECT_EQ(groups[2].at("documents"), 32);
  EXPECT_GT(groups[2].at("pooled_standard_error"), 0);
}

}  // namespace
}  // namespace fbt::results
