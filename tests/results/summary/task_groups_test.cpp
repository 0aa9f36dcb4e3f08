#include "results/summary/task_groups.h"

#include <map>

#include <gmock/gmock.h>

namespace fbt::results {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr auto kWeighted = TaskGroup::Mean::kSizeWeighted;

// Two weighted groups in a weighted one, which is one of two members of a plain one.
const std::vector<TaskGroup> kNested = {
    {"ten", {"rte", "mmlu"}},
    {"mmlu", {"stem", "other"}, kWeighted},
    {"stem", {"physics", "algebra"}, kWeighted},
    {"other", {"marketing"}, kWeighted},
};
const std::map<std::string, MeanScore> kScores = {
    {"rte", {0.6, 0.05, 100}},
    {"physics", {0.5, 0.1, 10}},
    {"algebra", {0.25, 0.1, 20}},
    {"marketing", {1, 0, 10}},
};

TaskGroups nested() {
  TaskGroups groups;
  groups.add(kNested);
  return groups;
}

std::optional<MeanScore> score_of(const std::string& task) {
  const auto found = kScores.find(task);
  return found == kScores.end() ? std::nullopt : std::optional(found->second);
}

TEST(TaskGroups, LooksInsideInnerGroups) {
  const TaskGroups groups = nested();
  EXPECT_THAT(groups.tasks_in(kNested[0]), ElementsAre("rte", "physics", "algebra", "marketing"));
  EXPECT_THAT(groups.tasks_in(kNested[2]), ElementsAre("physics", "algebra"));
}

TEST(TaskGroups, WeighsDocumentsInsideAndMembersOutside) {
  const TaskGroups groups = nested();
  const double mmlu = (10 * 0.5 + 20 * 0.25 + 10 * 1) / 40;
  EXPECT_DOUBLE_EQ(groups.mean(kNested[1], score_of)->value, mmlu);
  EXPECT_THAT(*groups.parts(kNested[1], score_of), SizeIs(3));
  EXPECT_DOUBLE_EQ(groups.mean(kNested[0], score_of)->value, (0.6 + mmlu) / 2);
  EXPECT_THAT(*groups.parts(kNested[0], score_of), SizeIs(2));
  EXPECT_EQ(groups.mean(kNested[0], score_of)->documents, 140);
}

TEST(TaskGroups, NeverAveragesAPart) {
  const auto without = [](const std::string& missing) {
    return [missing](const std::string& task) {
      return task == missing ? std::nullopt : score_of(task);
    };
  };
  const TaskGroups groups = nested();
  EXPECT_FALSE(groups.mean(kNested[0], without("algebra")));
  EXPECT_FALSE(groups.mean(kNested[2], without("algebra")));
  EXPECT_TRUE(groups.mean(kNested[3], without("algebra")));
  // An inner group that no plan defines is like a task that is missing.
  TaskGroups outer_only;
  outer_only.add(std::span(kNested).first(1));
  EXPECT_FALSE(outer_only.mean(kNested[0], score_of));
}

TEST(TaskGroups, KeepsTheFirstDefinitionAndNoCircle) {
  TaskGroups groups;
  groups.add(std::vector<TaskGroup>{{"a", {"b"}}, {"a", {"rte"}}, {"self", {"self"}}});
  groups.add(std::vector<TaskGroup>{{"b", {"a"}}, {"none", {}}});
  ASSERT_THAT(groups.all(), SizeIs(2));
  EXPECT_EQ(groups.all()[1].name, "none");
  EXPECT_THAT(groups.tasks_in(groups.all()[0]), ElementsAre("b"));
  EXPECT_THAT(groups.tasks_in(groups.all()[1]), IsEmpty());
  EXPECT_FALSE(groups.mean(groups.all()[1], score_of));
}

TEST(GroupEstimate, StaysWithinZeroAndOne) {
  const Estimate estimate = group_estimate({0.99, 0.1, 5}, kWeighted);
  EXPECT_EQ(estimate.interval.high, 1);
  EXPECT_NEAR(estimate.interval.low, 0.99 - 0.1959964, 1e-6);
  EXPECT_EQ(estimate.method, "clustered by task");
}

}  // namespace
}  // namespace fbt::results
