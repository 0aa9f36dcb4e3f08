#include "results/summary/summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/results/simulate.h"
#include "tests/support/paths.h"

namespace fbt::results {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

class SummaryTest : public ::testing::Test {
 protected:
  Summary summarize_all() {
    std::vector<RunId> ids;
    for (const RunRecord& run : store_.runs()) ids.push_back(run.id);
    return summarize(store_, ids);
  }

  fbt::testing::TemporaryFolder folder_;
  Store store_{folder_.path() / "r.sqlite", OpenMode::kWrite};
};

// Four documents, worked by hand: three right; lengths 10, 20, 30, 100.
TEST_F(SummaryTest, GreedyRunWorkedByHand) {
  const RunId run =
      store_.get_or_create_run(store_.get_or_create_checkpoint(testing::checkpoint("a")),
                               store_.get_or_create_plan(testing::greedy_plan()), 5);
  Batch batch;
  for (const auto& [doc, length, right] :
       {std::tuple{0, 10, true}, {1, 20, true}, {2, 30, false}, {3, 100, true}}) {
    batch.documents.push_back({doc, "", "p", "t", 5, doc == 1 ? 3 : 0});
    Generation generation;
    generation.doc_id = doc;
    generation.trace_length = length;
    generation.reasoning_length = length - 5;
    generation.verdict = right ? Verdict::kRight : Verdict::kUndecided;
    batch.generations.push_back(generation);
    batch.scores.push_back({doc, 0, "exact_match", right ? 1.0 : 0.0});
  }
  store_.append(run, batch);
  const SummaryRow row = summarize_all().rows.at(0);
  EXPECT_EQ(row.score.value, 0.75);
  EXPECT_EQ(row.score.method, "Wilson");
  EXPECT_EQ(row.median_trace, 25);
  EXPECT_EQ(row.median_reasoning, 20);
  EXPECT_EQ(row.generated_tokens, 160);
  EXPECT_EQ(row.cut_prompts, 1);
  EXPECT_EQ(row.undecided, 1);
  EXPECT_FALSE(row.temperature.has_value());
  EXPECT_FALSE(row.split_half.has_value());
  EXPECT_FALSE(row.complete());

  const std::string text = render(summary_table(summarize_all()), TableFormat::kTerminal);
  EXPECT_THAT(text, HasSubstr("75.00"));
  EXPECT_THAT(text, HasSubstr("4/5"));
  EXPECT_THAT(text, HasSubstr("cut"));
  EXPECT_THAT(text, HasSubstr("undecided"));
}

TEST_F(SummaryTest, GridShowsBestAndHonestFigure) {
  testing::write_run(
      store_, testing::checkpoint("a"), testing::code_plan("fused"),
      {.documents = 164, .right = [](int, double t) { return t == 0.5 ? 0.4 : 0.1; }});
  const SummaryRow row = summarize_all().rows.at(0);
  EXPECT_EQ(row.temperature, 0.5);
  ASSERT_TRUE(row.split_half.has_value());
  EXPECT_NEAR(row.split_half->value, row.score.value, 1e-9);  // a clear winner
  ASSERT_THAT(row.grid, SizeIs(3));
  EXPECT_NEAR(row.grid[1].chosen_share, 1, 1e-9);
  EXPECT_NEAR(row.score.value, 1 - 0.6 * 0.6 * 0.6, 0.04);
  ASSERT_THAT(row.metrics, SizeIs(2));
  EXPECT_EQ(row.metrics[0].first, "pass@1");
  EXPECT_NEAR(row.metrics[0].second.value, 0.4, 0.04);
}

// Only documents that are done count, at every temperature.
TEST_F(SummaryTest, UnfinishedDocumentsDoNotCount) {
  const RunId run = testing::write_run(store_, testing::checkpoint("a"), testing::code_plan(),
                                       {.documents = 10, .stop_before = 3});
  store_.append(run, {{{5, "", "p", "t", 1, 0}}, {}, {}, {{5, 0.3, "pass@3", 1}}});
  const RunData data = load_run(store_, store_.run(run));
  EXPECT_THAT(data.doc_ids, ::testing::ElementsAre(0, 1, 2));
}

TEST_F(SummaryTest, RunWithoutDocumentsIsARowOfNothing) {
  testing::write_run(store_, testing::checkpoint("a"), testing::code_plan(),
                     {.documents = 10, .stop_before = 0});
  const SummaryRow row = summarize_all().rows.at(0);
  EXPECT_EQ(row.score.value, 0);
  EXPECT_EQ(row.score.interval.high, 1);
  EXPECT_FALSE(row.median_trace.has_value());
}

TEST_F(SummaryTest, GroupsAndSubjects) {
  for (const char* task : {"mmlu", "piqa"}) {
    Plan plan = testing::choice_plan(task);
    plan.groups = {{"pair", {"mmlu", "piqa"}}, {"lm-eval-10", {"mmlu", "piqa", "rte"}}};
    testing::write_run(
        store_, testing::checkpoint("a"), plan,
        {.documents = 40,
         .right = [&](int, double) { return task[0] == 'm' ? 1.0 : 0.0; },
         .subject =
             [&](int d) { return task[0] == 'm' ? std::string(d % 2 ? "law" : "art") : ""; }});
  }
  const Summary summary = summarize_all();
  ASSERT_THAT(summary.rows, SizeIs(2));
  ASSERT_THAT(summary.groups, SizeIs(1));  // rte is missing, so there is no lm-eval-10
  EXPECT_EQ(summary.groups[0].group, "pair");
  EXPECT_EQ(summary.groups[0].score.value, 0.5);
  EXPECT_THAT(summary.groups[0].tasks, ElementsAre("mmlu", "piqa"));
  ASSERT_THAT(summary.rows[0].subjects, SizeIs(2));
  EXPECT_EQ(summary.rows[0].subjects[0].subject, "art");
  EXPECT_EQ(summary.rows[0].subjects[0].documents, 20);
  EXPECT_THAT(render(summary_table(summary), TableFormat::kTerminal), Not(HasSubstr("law")));
  EXPECT_THAT(render(summary_table(summary, {.subjects = true}), TableFormat::kTerminal),
              HasSubstr("law"));
}

TEST_F(SummaryTest, JsonHasTheDocumentedKeys) {
  testing::write_run(store_, testing::checkpoint("a"), testing::code_plan(), {});
  const auto json = nlohmann::json::parse(summary_json(summarize_all()));
  EXPECT_EQ(json.at("schema"), 1);
  const auto& row = json.at("results").at(0);
  for (const char* key : {"checkpoint",
                          "task",
                          "mode",
                          "shots",
                          "metric",
                          "score",
                          "metrics",
                          "standard_errors",
                          "temperature",
                          "split_half",
                          "grid",
                          "subjects",
                          "documents",
                          "documents_planned",
                          "complete",
                          "median_trace_length",
                          "median_reasoning_length",
                          "generated_tokens",
                          "cut_prompts",
                          "undecided"}) {
    EXPECT_TRUE(row.contains(key)) << key;
  }
  EXPECT_EQ(row.at("grid").size(), 3u);
  EXPECT_TRUE(json.at("groups").empty());
}

TEST(TemperatureChoice, FromText) {
  EXPECT_EQ(temperature_choice_from_text("best").kind, TemperatureChoice::Kind::kBest);
  EXPECT_EQ(temperature_choice_from_text("split-half").kind, TemperatureChoice::Kind::kSplitHalf);
  EXPECT_EQ(temperature_choice_from_text("0.7").temperature, 0.7);
  for (const char* bad : {"", "warm", "-1", "0.7x"}) {
    EXPECT_THROW(temperature_choice_from_text(bad), std::exception) << bad;
  }
}

}  // namespace
}  // namespace fbt::results
