#include "results/compare/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "results/compare/comparison_tables.h"
#include "tests/results/simulate.h"
#include "tests/support/paths.h"

namespace fbt::results {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::ThrowsMessage;

class ComparisonTest : public ::testing::Test {
 protected:
  void add(const std::string& name, double tokens, const std::string& family, const Plan& plan,
           double right, double trace_length = 100, std::uint64_t seed = 1) {
    testing::write_run(store_, testing::checkpoint(name, tokens, family, 1.6), plan,
                       {.documents = 300,
                        .seed = seed,
                        .right = [right](int, double) { return right; },
                        .trace_length = trace_length});
  }

  std::vector<RunData> runs() {
    std::vector<RunData> runs;
    for (const RunRecord& run : store_.runs()) runs.push_back(load_run(store_, run));
    return runs;
  }

  // Three checkpoints; the full-bandwidth one also ran fused.
  void add_ladder() {
    add("std-400", 400e9, "standard", testing::greedy_plan(), 0.6, 100, 2);
    add("fbt-200", 200e9, "full-bandwidth", testing::greedy_plan(), 0.5, 100, 3);
    add("fbt-200", 200e9, "full-bandwidth", testing::greedy_plan("fused"), 0.6, 80, 4);
    add("std-200", 200e9, "standard", testing::greedy_plan(), 0.4, 100, 5);
  }

  fbt::testing::TemporaryFolder folder_;
  Store store_{folder_.path() / "r.sqlite", OpenMode::kWrite};
};

TEST_F(ComparisonTest, RowsByTokensThenFamilyColumnsByTaskThenMode) {
  add_ladder();
  const Comparison comparison = compare_runs(runs(), {});
  std::vector<std::string> names;
  for (const auto& row : comparison.rows) names.push_back(row.checkpoint.name);
  EXPECT_THAT(names, ElementsAre("std-200", "fbt-200", "std-400"));
  ASSERT_THAT(comparison.columns, SizeIs(2));
  EXPECT_EQ(comparison.columns[0].mode, "standard");
  EXPECT_EQ(comparison.columns[1].mode, "fused");
  EXPECT_FALSE(comparison.rows[0].cells[1].has_value());
  EXPECT_EQ(comparison.rows[1].effective_compute, 320e9);
  EXPECT_FALSE(comparison.rows[1].cells[1]->difference.has_value());
}

TEST_F(ComparisonTest, DifferencesFallBackToTheBaselinesStandardMode) {
  add_ladder();
  const Comparison comparison = compare_runs(runs(), {.baseline = "std-200"});
  const auto& fbt = comparison.rows[1];
  EXPECT_TRUE(comparison.rows[0].is_baseline);
  EXPECT_FALSE(comparison.rows[0].cells[0]->difference.has_value());
  ASSERT_TRUE(fbt.cells[1]->difference.has_value());
  EXPECT_EQ(fbt.cells[1]->baseline_mode, "standard");
  EXPECT_NEAR(fbt.cells[1]->difference->difference, 0.2, 0.08);
  EXPECT_TRUE(fbt.cells[1]->significant);
  EXPECT_NEAR(fbt.cells[1]->difference->difference,
              fbt.cells[1]->score.value - comparison.rows[0].cells[0]->score.value, 1e-12);
}

TEST_F(ComparisonTest, BaselineModeComparesModesOfOneCheckpoint) {
  add_ladder();
  const Comparison comparison =
      compare_runs(runs(), {.baseline = "fbt-200", .baseline_mode = "standard"});
  EXPECT_TRUE(comparison.rows[1].cells[1]->difference.has_value());
  EXPECT_FALSE(comparison.rows[1].cells[0]->difference.has_value());
  EXPECT_THAT([&] { compare_runs(runs(), {.baseline = "fbt-20"}); },
              ThrowsMessage<InputError>(HasSubstr("did you mean fbt-200")));
}

// Holm: adjusted p-values are at least the plain ones, by the number of tests.
TEST_F(ComparisonTest, HolmRunsOverTheWholeTable) {
  add_ladder();
  const Comparison comparison = compare_runs(runs(), {.baseline = "std-200"});
  std::vector<double> plain;
  std::vector<double> adjusted;
  for (const auto& row : comparison.rows) {
    for (const auto& cell : row.cells) {
      if (!cell || !cell->difference) continue;
      plain.push_back(cell->difference->p);
      adjusted.push_back(cell->p_adjusted);
    }
  }
  ASSERT_THAT(plain, SizeIs(3));
  EXPECT_EQ(adjusted, holm(plain));
}

TEST_F(ComparisonTest, GroupMeansAreOfTaskMeans) {
  const TaskGroup group{"pair", {"arc_easy", "piqa"}};
  for (const char* task : {"arc_easy", "piqa"}) {
    Plan plan = testing::choice_plan(task);
    plan.groups = {group};
    const double easier = task[0] == 'a' ? 0.3 : 0;
    add("a", 1e9, "standard", plan, 0.4 + easier, 0, 7);
    add("b", 2e9, "standard", plan, 0.5 + easier, 0, 8);
  }
  const Comparison comparison = compare_runs(runs(), {.baseline = "a"});
  ASSERT_THAT(comparison.columns, SizeIs(3));
  EXPECT_TRUE(comparison.columns[2].is_group);
  for (const auto& row : comparison.rows) {
    EXPECT_NEAR(row.cells[2]->score.value,
                (row.cells[0]->score.value + row.cells[1]->score.value) / 2, 1e-12);
  }
  const auto& difference = comparison.rows[1].cells[2]->difference;
  ASSERT_TRUE(difference.has_value());
  EXPECT_NEAR(difference->difference,
              (comparison.rows[1].cells[0]->difference->difference +
               comparison.rows[1].cells[1]->difference->difference) /
                  2,
              1e-12);
}

// The figures of a size-weighted group are those of one run over all its documents
// with the tasks as subjects.
TEST_F(ComparisonTest, SizeWeightedGroupsStandForTheirTasks) {
  const std::vector<std::string> subjects = {"mmlu_algebra", "mmlu_law", "mmlu_virology"};
  const TaskGroup mmlu{"mmlu", subjects, TaskGroup::Mean::kSizeWeighted};
  for (const std::string& subject : subjects) {
    Plan plan = testing::choice_plan(subject);
    plan.groups = {{"all", {"mmlu", "rte"}}, mmlu};
    const double easier = subject == "mmlu_law" ? 0.3 : 0;
    add("a", 1e9, "standard", plan, 0.3 + easier, 0, subject.size());
    add("b", 2e9, "standard", plan, 0.5 + easier, 0, subject.size() + 10);
  }
  Plan rte = testing::choice_plan("rte");
  rte.groups = {{"all", {"mmlu", "rte"}}};
  add("a", 1e9, "standard", rte, 0.5, 0, 3);
  add("b", 2e9, "standard", rte, 0.5, 0, 4);

  const Comparison comparison = compare_runs(runs(), {.baseline = "a"});
  std::vector<std::string> columns;
  for (const auto& column : comparison.columns) columns.push_back(column.task);
  EXPECT_THAT(columns, ElementsAre("rte", "all", "mmlu"));

  std::vector<double> before, after;
  std::vector<std::string> clusters;
  for (const RunData& run : runs()) {
    const std::string& task = run.run.plan.task;
    if (task == "rte") continue;
    const bool first = run.run.checkpoint.name == "a";
    auto& values = first ? before : after;
    values.insert(values.end(), run.primary()[0].begin(), run.primary()[0].end());
    if (first) clusters.insert(clusters.end(), run.doc_ids.size(), task);
  }
  const PairedComparison expected = compare_paired(before, after, clusters);
  const ComparisonCell& cell = *comparison.rows[1].cells[2];
  EXPECT_NEAR(cell.score.value, mean(after), 1e-12);
  EXPECT_NEAR(cell.score.standard_error, clustered_standard_error(after, clusters), 1e-12);
  EXPECT_EQ(cell.documents, 900);
  ASSERT_TRUE(cell.difference.has_value());
  EXPECT_NEAR(cell.difference->difference, expected.difference, 1e-12);
  EXPECT_NEAR(cell.difference->p, expected.p, 1e-9);
  EXPECT_EQ(cell.difference->test, expected.test);
  EXPECT_NEAR(comparison.rows[1].cells[1]->score.value,
              (cell.score.value + comparison.rows[1].cells[0]->score.value) / 2, 1e-12);

  const Comparison every = compare_runs(runs(), {.subjects = true});
  EXPECT_THAT(every.columns, SizeIs(6));
  EXPECT_EQ(every.columns[4].metric, "acc");
}

TEST_F(ComparisonTest, UnfinishedDocumentsAreLeftOutOfPairs) {
  add("a", 1e9, "standard", testing::greedy_plan(), 0.5);
  testing::write_run(store_, testing::checkpoint("b"), testing::greedy_plan(),
                     {.documents = 300, .stop_before = 120});
  const Comparison comparison = compare_runs(runs(), {.baseline = "a"});
  const auto& cell = comparison.rows[1].cells[0];
  EXPECT_FALSE(cell->complete);
  EXPECT_EQ(cell->documents, 120);
  EXPECT_EQ(cell->difference->documents, 120u);
}

TEST_F(ComparisonTest, TraceLengthsByModeWithPairedChange) {
  add_ladder();
  const auto lengths = compare_lengths(runs(), {});
  ASSERT_THAT(lengths, SizeIs(4));
  const auto fused = std::find_if(lengths.begin(), lengths.end(),
                                  [](const auto& row) { return row.mode == "fused"; });
  EXPECT_NEAR(fused->median, 80, 3);
  ASSERT_TRUE(fused->change.has_value());
  EXPECT_NEAR(fused->change->change, -0.2, 0.04);
  EXPECT_LT(fused->change->interval.high, 0);
  EXPECT_EQ(fused->change->documents, 300u);
  EXPECT_GT(fused->change_right->documents, 50u);
  EXPECT_LT(fused->change_right->documents + fused->change_wrong->documents, 300u);
  EXPECT_FALSE(lengths[0].change.has_value());
}

TEST_F(ComparisonTest, Renderings) {
  add_ladder();
  const Comparison comparison = compare_runs(runs(), {.baseline = "std-200"});
  const auto references = published_references();
  const std::string text = render(comparison_table(comparison, references), TableFormat::kTerminal);
  EXPECT_THAT(text, HasSubstr("gsm8k fused"));
  EXPECT_THAT(text, HasSubstr("Δ std-200"));
  EXPECT_THAT(text, HasSubstr("FBT 1B/200B (paper, instruct-tuned, zero-shot)"));
  EXPECT_THAT(text, HasSubstr("67.9"));
  EXPECT_THAT(text, Not(HasSubstr("Llama 3.2")));  // has no gsm8k figure
  EXPECT_THAT(text, HasSubstr("Holm"));
  EXPECT_THAT(text, HasSubstr("its standard mode"));
  EXPECT_THAT(comparison_tables_by_task(comparison, references), SizeIs(1));

  const auto long_table = comparison_long_table(comparison, references);
  EXPECT_THAT(long_table.rows, SizeIs(4 + 5));
  for (const auto& row : long_table.rows) EXPECT_EQ(row.size(), long_table.columns.size());

  const auto efficiencies = data_efficiencies(runs(), {}, "");
  const auto lengths = compare_lengths(runs(), {});
  const auto json =
      nlohmann::json::parse(comparison_json(comparison, efficiencies, lengths, references));
  EXPECT_EQ(json.at("schema"), 1);
  EXPECT_EQ(json.at("rows").size(), 3u);
  EXPECT_TRUE(json.at("rows")[0].at("cells")[1].is_null());
  EXPECT_EQ(json.at("rows")[1].at("cells")[1].at("difference").at("baseline_mode"), "standard");
  EXPECT_EQ(json.at("data_efficiency").size(), 2u);
  EXPECT_EQ(json.at("trace_lengths").size(), 4u);
}

TEST(References, AreThePublishedFigures) {
  std::map<std::tuple<std::string, std::string, std::string>, std::string> figures;
  for (const ReferenceRow& row : published_references()) {
    for (const auto& [place, figure] : row.figures) {
      figures[{row.name + ", " + row.stage, place.first, place.second}] = figure.percent;
    }
  }
  EXPECT_EQ(figures.size(), 29u);
  EXPECT_EQ((figures.at({"FBT 1B/400B, instruct", "gsm8k", "fused"})), "71.80");
  EXPECT_EQ((figures.at({"standard 1B/1T, instruct", "humaneval", "standard"})), "50.01");
  EXPECT_EQ((figures.at({"FBT 1B/200B, base", "lm-eval-10", "fused"})), "53.58");
  EXPECT_EQ((figures.at({"Qwen3 1.7B/36T, base", "lm-eval-10", "standard"})), "57.30");
  EXPECT_THAT([] { parse_references(R"({"references": [{"name": "x"}]})", "f.json"); },
              ThrowsMessage<InputError>("f.json: x: 'source' is missing or of a wrong type"));
}

}  // namespace
}  // namespace fbt::results
