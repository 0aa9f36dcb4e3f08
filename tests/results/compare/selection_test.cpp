#include "results/compare/selection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/results/simulate.h"
#include "tests/support/paths.h"

namespace fbt::results {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::ThrowsMessage;

class SelectionTest : public ::testing::Test {
 protected:
  Store& store() { return stores_[0]; }

  void add(const std::string& checkpoint, const Plan& plan) {
    testing::write_run(store(), testing::checkpoint(checkpoint), plan, {.documents = 5});
  }

  std::size_t count(const SelectionOptions& options) {
    return select_runs(stores_, options).size();
  }

  fbt::testing::TemporaryFolder folder_;
  std::vector<Store> stores_ = [this] {
    std::vector<Store> stores;
    stores.emplace_back(folder_.path() / "r.sqlite", OpenMode::kWrite);
    return stores;
  }();
};

TEST_F(SelectionTest, ByCheckpointTaskModeGroupAndSetting) {
  Plan grouped = testing::choice_plan("piqa");
  grouped.groups = {{"lm-eval-10", {"piqa"}}};
  add("alpha", testing::greedy_plan());
  add("alpha", testing::greedy_plan("fused"));
  add("beta", testing::greedy_plan());
  add("beta", grouped);
  const std::string hash = testing::checkpoint("alpha").content_hash;
  EXPECT_EQ(count({}), 4u);
  EXPECT_EQ(count({.checkpoints = {"alpha"}}), 2u);
  EXPECT_EQ(count({.checkpoints = {hash.substr(0, 8)}}), 2u);
  EXPECT_EQ(count({.tasks = {"gsm8k"}}), 3u);
  EXPECT_EQ(count({.tasks = {"lm-eval-10"}}), 1u);
  EXPECT_EQ(count({.modes = {"fused"}}), 1u);
  EXPECT_EQ(count({.settings = {{"kind", "generation"}, {"limit", "none"}}}), 3u);
  EXPECT_THAT([&] { count({.checkpoints = {"alhpa"}}); },
              ThrowsMessage<InputError>("unknown checkpoint 'alhpa'; did you mean alpha?"));
  EXPECT_THAT([&] { count({.tasks = {"gsm8"}}); },
              ThrowsMessage<InputError>(HasSubstr("did you mean gsm8k")));
  EXPECT_THAT([&] { count({.modes = {"fsed"}}); },
              ThrowsMessage<InputError>(HasSubstr("did you mean fused")));
  EXPECT_THAT(
      [&] {
        count({.settings = {{"shots", "77"}}});
      },
      ThrowsMessage<InputError>(HasSubstr("no run fits")));
}

TEST_F(SelectionTest, TwoRunsOfOneCellAreRefusedWithTheWayOut) {
  Plan zero_shot = testing::greedy_plan();
  zero_shot.shots = 0;
  add("alpha", testing::greedy_plan());
  add("alpha", zero_shot);
  EXPECT_THAT([&] { count({}); }, ThrowsMessage<InputError>(AllOf(
                                      HasSubstr("two runs of gsm8k standard of alpha"),
                                      HasSubstr("shots (5 and 0)"), HasSubstr("--only shots=5"))));
  EXPECT_EQ(count({.settings = {{"shots", "0"}}}), 1u);
}

TEST_F(SelectionTest, SameRunInTwoFilesIsRefused) {
  stores_.emplace_back(folder_.path() / "s.sqlite", OpenMode::kWrite);
  for (Store& store : stores_) {
    testing::write_run(store, testing::checkpoint("alpha"), testing::greedy_plan(), {});
  }
  EXPECT_THAT([&] { count({}); }, ThrowsMessage<InputError>(HasSubstr("fbt-eval merge")));
}

// Every difference that makes figures incomparable, and those that do not.
TEST_F(SelectionTest, IncomparableRunsAreNamed) {
  const struct {
    std::function<void(Plan&)> change;
    const char* named;  // null: comparable
  } cases[] = {
      {[](Plan& p) { p.shots = 0; }, "shots (5 and 0)"},
      {[](Plan& p) { p.limit = 3; }, "limit (none and 3)"},
      {[](Plan& p) { p.prompts_hash = "other"; }, "prompts_hash ("},
      {[](Plan& p) { p.data_hash = "other"; }, "data_hash ("},
      {[](Plan& p) { p.chat_format = "chatml"; }, "chat_format (none and chatml)"},
      {[](Plan& p) { p.metrics[0].definition = "v2"; }, "metrics ("},
      {[](Plan& p) { p.mode = "fused"; }, nullptr},
      {[](Plan& p) { p.dtype = "bfloat16"; }, nullptr},
      {[](Plan& p) { p.seed = 2; }, nullptr},
      {[](Plan& p) {
         p.groups = {{"g", {"gsm8k"}}};
       },
       nullptr},
  };
  for (const auto& c : cases) {
    RunData first;
    first.run.plan = testing::greedy_plan();
    first.run.checkpoint.name = "alpha";
    RunData second = first;
    second.run.checkpoint.name = "beta";
    c.change(second.run.plan);
    const std::vector<RunData> runs = {first, second};
    if (c.named == nullptr) {
      EXPECT_NO_THROW(require_comparable(runs));
    } else {
      EXPECT_THAT([&] { require_comparable(runs); },
                  ThrowsMessage<InputError>(
                      AllOf(HasSubstr(c.named), HasSubstr("alpha"), HasSubstr("beta"))));
    }
  }
}

TEST(ParseSettings, ReadsPairsAndNamesMistakes) {
  EXPECT_THAT(parse_settings("shots=0,limit=none"), SizeIs(2));
  EXPECT_THAT(parse_settings(""), SizeIs(0));
  EXPECT_THAT([] { parse_settings("shots"); },
              ThrowsMessage<InputError>(HasSubstr("is not KEY=VALUE")));
  EXPECT_THAT([] { parse_settings("shot=1"); },
              ThrowsMessage<InputError>("unknown setting 'shot'; did you mean shots?"));
}

}  // namespace
}  // namespace fbt::results
