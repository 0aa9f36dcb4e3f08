#include "results/store/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/results/simulate.h"

namespace fbt::results {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

Plan full_plan() {
  Plan plan = testing::code_plan("fused");
  plan.limit = 20;
  plan.chat_format = "chatml";
  plan.batch_invariant = true;
  plan.groups = {{"code", {"humaneval", "mbpp"}},
                 {"all", {"code", "gsm8k"}, TaskGroup::Mean::kSizeWeighted}};
  plan.other = {{"stop", "\\nclass"}};
  return plan;
}

TEST(Plan, RoundTripsThroughJson) {
  for (const Plan& plan : {full_plan(), testing::choice_plan(), Plan{}}) {
    EXPECT_EQ(plan_from_json(plan_to_json(plan), "plan"), plan);
  }
}

// As stored by the program before groups could hold groups.
TEST(Plan, ReadsGroupsOfOlderFiles) {
  std::string text = plan_to_json(full_plan());
  const std::string members = R"("mean":"plain","members":["humaneval","mbpp"])";
  const std::size_t at = text.find(members);
  ASSERT_NE(at, std::string::npos) << text;
  text.replace(at, members.size(), R"("tasks":["humaneval","mbpp"])");
  EXPECT_EQ(plan_from_json(text, "plan"), full_plan());
}

// Any setting that changes makes another plan.
TEST(Plan, HashSeesEverySetting) {
  const std::vector<std::function<void(Plan&)>> changes = {
      [](Plan& p) { p.task = "mbpp"; },
      [](Plan& p) { p.mode = "soft"; },
      [](Plan& p) { p.kind = "log_likelihood"; },
      [](Plan& p) { p.shots = 3; },
      [](Plan& p) { p.limit.reset(); },
      [](Plan& p) { p.feedback_steps = 2; },
      [](Plan& p) { p.temperatures = {0.3}; },
      [](Plan& p) { p.samples = 20; },
      [](Plan& p) { p.k = {1}; },
      [](Plan& p) { p.max_new_tokens = 1; },
      [](Plan& p) { p.seed = 1; },
      [](Plan& p) { p.dtype = "bfloat16"; },
      [](Plan& p) { p.chat_format.clear(); },
      [](Plan& p) { p.batch_invariant = false; },
      [](Plan& p) { p.prompts_hash = "x"; },
      [](Plan& p) { p.data_hash = "x"; },
      [](Plan& p) { p.metrics[0].definition = "x"; },
      [](Plan& p) { p.primary_metric = "pass@1"; },
      [](Plan& p) { p.groups.clear(); },
      [](Plan& p) { p.groups[0].mean = TaskGroup::Mean::kSizeWeighted; },
      [](Plan& p) { p.other["stop"] = "x"; },
  };
  for (std::size_t i = 0; i < changes.size(); ++i) {
    Plan changed = full_plan();
    changes[i](changed);
    EXPECT_NE(plan_hash(changed), plan_hash(full_plan())) << "change " << i;
    EXPECT_EQ(plan_differences(full_plan(), changed, false).size(), 1u) << "change " << i;
  }
  EXPECT_EQ(plan_hash(full_plan()), plan_hash(full_plan()));
}

TEST(Plan, DifferencesNameSettingAndBothValues) {
  Plan other = full_plan();
  other.shots = 5;
  other.limit.reset();
  other.dtype = "bfloat16";
  EXPECT_THAT(plan_differences(full_plan(), other, true),
              ElementsAre("limit (20 and none)", "shots (0 and 5)"));
  EXPECT_THAT(
      plan_differences(full_plan(), other, false),
      ElementsAre("dtype (float32 and bfloat16)", "limit (20 and none)", "shots (0 and 5)"));
}

TEST(Plan, ModeLabelNamesUnusualFeedbackSteps) {
  Plan plan = testing::greedy_plan("fused");
  EXPECT_EQ(mode_label(plan), "fused");
  plan.feedback_steps = 3;
  EXPECT_EQ(mode_label(plan), "fused-3");
  EXPECT_EQ(mode_label(testing::greedy_plan("soft")), "soft");
}

TEST(Plan, BadJsonNamesTheKey) {
  const std::string good = plan_to_json(full_plan());
  const auto replaced = [&](std::string from, const std::string& to) {
    std::string text = good;
    return text.replace(text.find(from), from.size(), to);
  };
  const auto parse = [](const std::string& text) {
    return [text] { plan_from_json(text, "file.sqlite: plan 3"); };
  };
  EXPECT_THAT(parse(replaced("\"shots\":0", "\"shots\":\"five\"")),
              ThrowsMessage<InputError>("file.sqlite: plan 3: 'shots' is of a wrong type"));
  EXPECT_THAT(parse(replaced("\"shots\":0,", "")),
              ThrowsMessage<InputError>("file.sqlite: plan 3: 'shots' is missing"));
  EXPECT_THAT(parse(replaced("\"mean\":\"plain\"", "\"mean\":\"best\"")),
              ThrowsMessage<InputError>("file.sqlite: plan 3: group mean 'best' is not known"));
  EXPECT_THAT(parse("[]"), ThrowsMessage<InputError>(HasSubstr("not a JSON object")));
  EXPECT_THAT(parse("{"), ThrowsMessage<InputError>(HasSubstr("not valid JSON")));
}

// Lists that start alike are told apart by what only one of them has.
TEST(Plan, DifferencesOfListsNameTheirOwnEntries) {
  const Plan both = testing::code_plan();
  Plan first = both;
  first.metrics.pop_back();
  const auto differences = plan_differences(first, both, true);
  ASSERT_EQ(differences.size(), 1u);
  EXPECT_EQ(differences[0], R"(metrics ([] and [{"definition":"unbiased, v1","name":"pa…))");
}

}  // namespace
}  // namespace fbt::results
