#include "harness/run/cell.h"

#include <gmock/gmock.h>

#include "base/error.h"
#include "tests/harness/run/fake_task.h"

namespace fbt::run {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

tasks::Selection sums(int documents, tasks::SamplingDefaults sampling = {}) {
  return {.tasks = {testing::sums_task(documents, std::move(sampling))}, .groups = {}};
}

std::string error_of(const RunOptions& options, bool has_feedback = true) {
  try {
    plan_cells(options, sums(3), {}, {.has_feedback = has_feedback, .chat_format = ""});
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(PlanCells, TakesEveryModeTheCheckpointCanDo) {
  const auto modes = [](bool has_feedback) {
    std::vector<std::string> names;
    for (const Cell& cell :
         plan_cells({}, sums(3), {}, {.has_feedback = has_feedback, .chat_format = ""})) {
      names.push_back(cell.plan.mode);
    }
    return names;
  };
  EXPECT_THAT(modes(true), ElementsAre("standard", "soft", "fused"));
  EXPECT_THAT(modes(false), ElementsAre("standard"));
}

TEST(PlanCells, RefusesContradictions) {
  RunOptions soft;
  soft.modes = {Mode::kSoft};
  EXPECT_THAT(error_of(soft, false), HasSubstr("no feedback weights"));
  RunOptions greedy_twice;
  greedy_twice.samples = 2;
  EXPECT_THAT(error_of(greedy_twice), HasSubstr("add --temperatures"));
  RunOptions k;
  k.k = {3};
  EXPECT_THAT(error_of(k), HasSubstr("--k 3"));
  RunOptions cold;
  cold.temperatures = {-1};
  EXPECT_THAT(error_of(cold), HasSubstr("below zero"));
}

TEST(PlanCells, LimitAndShardChooseDocumentsAndOnlyTheLimitIsPlan) {
  RunOptions options;
  options.limit = 5;
  options.shard = {2, 2};
  const auto cells = plan_cells(options, sums(9), {}, {.has_feedback = false, .chat_format = ""});
  EXPECT_THAT(cells[0].documents, ElementsAre(1, 3));
  EXPECT_EQ(cells[0].documents_planned, 5);
  EXPECT_EQ(cells[0].plan.limit, 5);
  options.shard = {1, 2};
  const auto other = plan_cells(options, sums(9), {}, {.has_feedback = false, .chat_format = ""});
  EXPECT_EQ(results::plan_hash(cells[0].plan), results::plan_hash(other[0].plan));
  options.limit = 100;  // more than there are: the whole task
  EXPECT_EQ(
      plan_cells(options, sums(9), {}, {.has_feedback = false, .chat_format = ""})[0].plan.limit,
      std::nullopt);
}

TEST(PlanCells, EverySettingThatChangesAnswersChangesTheHash) {
  const auto hash = [](const RunOptions& options) {
    return results::plan_hash(plan_cells(options,
                                         sums(9, {.samples = 1, .temperatures = {0.5}, .k = {1}}),
                                         {}, {.has_feedback = true, .chat_format = ""})
                                  .back()
                                  .plan);
  };
  const std::string base = hash({});
  RunOptions seed, steps, dtype, length, temperature, samples;
  seed.seed = 1;
  steps.feedback_steps = 2;
  dtype.dtype = "bfloat16";
  length.max_new_tokens = 3;
  temperature.temperatures = {0.7};
  samples.samples = 2;
  for (const RunOptions& changed : {seed, steps, dtype, length, temperature, samples}) {
    EXPECT_NE(hash(changed), base);
  }
  RunOptions machine;
  machine.threads = 7;
  machine.batch_rows = 3;
  machine.cache_gb = 1;
  EXPECT_EQ(hash(machine), base);
}

TEST(PlanCells, NamesTheGroupsThatTheTaskIsInside) {
  using Mean = tasks::Group::Mean;
  const std::vector<tasks::Group> groups{
      {"outer", "", {"weighted", "other"}, {"sums", "other"}, Mean::kPlain},
      {"weighted", "", {"sums"}, {"sums"}, Mean::kSizeWeighted},
      {"others", "", {"other"}, {"other"}, Mean::kPlain}};
  const auto cells = plan_cells({}, sums(3), groups, {.has_feedback = false, .chat_format = ""});
  using results::TaskGroup;
  EXPECT_THAT(cells[0].plan.groups,
              ElementsAre(TaskGroup{"outer", {"weighted", "other"}},
                          TaskGroup{"weighted", {"sums"}, TaskGroup::Mean::kSizeWeighted}));
}

TEST(SampleKey, DiffersInEachPart) {
  const std::uint64_t key = sample_key(0, "sums", 1, Mode::kSoft, 0.5, 0);
  EXPECT_NE(key, sample_key(1, "sums", 1, Mode::kSoft, 0.5, 0));
  EXPECT_NE(key, sample_key(0, "sum", 1, Mode::kSoft, 0.5, 0));
  EXPECT_NE(key, sample_key(0, "sums", 2, Mode::kSoft, 0.5, 0));
  EXPECT_NE(key, sample_key(0, "sums", 1, Mode::kFused, 0.5, 0));
  EXPECT_NE(key, sample_key(0, "sums", 1, Mode::kSoft, 0.7, 0));
  EXPECT_NE(key, sample_key(0, "sums", 1, Mode::kSoft, 0.5, 1));
}

}  // namespace
}  // namespace fbt::run
