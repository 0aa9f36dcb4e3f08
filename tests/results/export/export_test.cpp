#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/json_lines.h"
#include "results/export/lm_eval.h"
#include "results/export/lm_eval_results.h"
#include "results/export/samples.h"
#include "results/statistics/interval.h"
#include "tests/results/simulate.h"
#include "tests/support/errors.h"
#include "tests/support/paths.h"

namespace fbt::results {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class ExportTest : public ::testing::Test {
 protected:
  std::vector<ChosenRun> all() { return choose_runs({&store_, 1}, {}); }

  std::vector<json> samples(const SampleExportOptions& options = {}) {
    std::vector<json> lines;
    for (const ChosenRun& run : all()) {
      export_samples(run, options, [&](const std::string& line) {
        EXPECT_EQ(line.find('\n'), std::string::npos);
        lines.push_back(json::parse(line));
      });
    }
    return lines;
  }

  json results_file(const std::vector<std::filesystem::path>& paths, const std::string& folder) {
    for (const auto& path : paths) {
      if (path.parent_path().filename() == folder &&
          path.filename().string().starts_with("results_")) {
        return json::parse(read_file(path));
      }
    }
    ADD_FAILURE() << "no results of " << folder;
    return {};
  }

  fbt::testing::TemporaryFolder folder_;
  Store store_{folder_.path() / "r.sqlite", OpenMode::kWrite};
};

TEST_F(ExportTest, SamplesHoldWhatTheStoreHolds) {
  testing::write_run(store_, testing::checkpoint("a"), testing::code_plan("fused"),
                     {.documents = 2});
  const std::vector<json> lines = samples({.tokens = true});
  ASSERT_THAT(lines, SizeIs(2 * 3 * 10));
  std::size_t i = 0;
  store_.for_each_generation(1, [&](const Generation& generation) {
    const json& line = lines[i++];
    EXPECT_EQ(line.at("checkpoint"), "a");
    EXPECT_EQ(line.at("task"), "humaneval");
    EXPECT_EQ(line.at("mode"), "fused");
    EXPECT_EQ(line.at("doc_id"), generation.doc_id);
    EXPECT_EQ(line.at("temperature"), generation.temperature);
    EXPECT_EQ(line.at("sample"), generation.sample);
    EXPECT_EQ(line.at("completion"), generation.text);
    EXPECT_EQ(line.at("verdict"), verdict_name(generation.verdict));
    EXPECT_EQ(line.at("trace_length"), generation.trace_length);
    EXPECT_EQ(line.at("tokens").size(), generation.tokens.size());
    EXPECT_THAT(line.at("prompt").get<std::string>(), HasSubstr("of humaneval?"));
  });
  EXPECT_EQ(i, lines.size());
  EXPECT_FALSE(samples({.prompts = false}).front().contains("prompt"));
}

TEST_F(ExportTest, MultipleChoiceIsALinePerDocument) {
  testing::write_run(store_, testing::checkpoint("a"), testing::choice_plan(), {.documents = 5});
  const std::vector<json> lines = samples();
  ASSERT_THAT(lines, SizeIs(5));
  EXPECT_THAT(lines[3].at("choices"), SizeIs(4));
  EXPECT_EQ(lines[3].at("choices").at(1).at("continuation"), " choice 1");
  EXPECT_EQ(lines[3].at("scores").at("acc"), store_.scores(1)[6].value);
}

// Text that is no UTF-8 does not break the line.
TEST_F(ExportTest, BytesThatAreNoTextBecomeReplacementCharacters) {
  const RunId run = testing::write_run(store_, testing::checkpoint("a"), testing::greedy_plan(),
                                       {.documents = 1, .stop_before = 0});
  Batch batch = testing::simulate(testing::greedy_plan(), {.documents = 1})[0];
  batch.generations[0].text = "a\xff\nb";
  store_.append(run, batch);
  EXPECT_EQ(samples().at(0).at("completion"), "a\xef\xbf\xbd\nb");
}

TEST_F(ExportTest, LmEvalFilesHaveItsLayout) {
  Plan gsm8k = testing::greedy_plan();
  gsm8k.metrics.push_back({"exact_match_flexible", "v1"});
  testing::write_run(store_, testing::checkpoint("org/a"), gsm8k, {.documents = 40});
  testing::write_run(store_, testing::checkpoint("org/a"), testing::code_plan("fused"),
                     {.documents = 40});
  for (const char* task : {"arc_easy", "piqa"}) {
    Plan plan = testing::choice_plan(task);
    plan.groups = {{"pair", {"arc_easy", "piqa"}}};
    testing::write_run(store_, testing::checkpoint("org/a"), plan, {.documents = 40});
  }
  const auto paths = export_lm_eval(all(), folder_.path() / "out", true);
  ASSERT_THAT(paths, SizeIs(2 + 4));
  const json file = results_file(paths, "org__a");
  const RunData data = load_run(store_, store_.run(1));
  const auto& result = file.at("results").at("gsm8k");
  EXPECT_EQ(result.at("alias"), "gsm8k");
  EXPECT_EQ(result.at("exact_match,strict-match"), mean(data.primary()[0]));
  EXPECT_NEAR(result.at("exact_match_stderr,strict-match"),
              standard_deviation(data.primary()[0]) / std::sqrt(40.0), 1e-12);
  EXPECT_TRUE(result.contains("exact_match,flexible-extract"));
  EXPECT_EQ(file.at("n-shot").at("gsm8k"), 5);
  EXPECT_EQ(file.at("n-samples").at("gsm8k"), json({{"original", 40}, {"effective", 40}}));
  EXPECT_EQ(file.at("higher_is_better").at("arc_easy"), json({{"acc", true}, {"acc_norm", true}}));
  EXPECT_EQ(file.at("configs").at("arc_easy").at("output_type"), "multiple_choice");
  EXPECT_EQ(file.at("configs").at("gsm8k").at("num_fewshot"), 5);
  EXPECT_THAT(file.at("configs").at("gsm8k").at("metric_list"), SizeIs(1));
  EXPECT_EQ(file.at("group_subtasks").at("pair"), json({"arc_easy", "piqa"}));
  EXPECT_EQ(file.at("group_subtasks").at("piqa"), json::array());
  EXPECT_NEAR(file.at("groups").at("pair").at("acc,none"),
              (file.at("results").at("arc_easy").at("acc,none").get<double>() +
               file.at("results").at("piqa").at("acc,none").get<double>()) /
                  2,
              1e-12);
  EXPECT_EQ(file.at("model_name"), "org/a");
  EXPECT_EQ(file.at("model_name_sanitized"), "org__a");
  EXPECT_GT(file.at("date"), 1.7e9);

  const json fused = results_file(paths, "org__a-fused");
  EXPECT_TRUE(fused.at("results").at("humaneval").contains("pass@3,none"));
  EXPECT_TRUE(fused.at("results").at("humaneval").contains("pass@3,temperature-0.5"));
}

TEST_F(ExportTest, LmEvalSamplesHoldRequestsAndResponses) {
  testing::write_run(store_, testing::checkpoint("a"), testing::greedy_plan(), {.documents = 3});
  testing::write_run(store_, testing::checkpoint("a"), testing::choice_plan(), {.documents = 3});
  for (const auto& path : export_lm_eval(all(), folder_.path() / "out", true)) {
    const std::string name = path.filename();
    if (!name.starts_with("samples_")) continue;
    EXPECT_THAT(name, ::testing::MatchesRegex(
                          "samples_(gsm8k|arc_easy)_....-..-..T..-..-..\\.000000\\.jsonl"));
    int lines = 0;
    for_each_json_line(path, [&](json&& line, std::size_t) {
      EXPECT_EQ(line.at("doc_id"), lines++);
      EXPECT_EQ(line.at("filter"), "none");
      const bool choice = name.find("arc_easy") != std::string::npos;
      EXPECT_EQ(line.at("arguments").size(), choice ? 4u : 1u);
      EXPECT_THAT(line.at("arguments").at("gen_args_0").at("arg_0").get<std::string>(),
                  HasSubstr("Question"));
      EXPECT_EQ(line.at("resps").size(), choice ? 4u : 1u);
      EXPECT_TRUE(line.contains(choice ? "acc" : "exact_match"));
      if (choice) {
        EXPECT_EQ(line.at("resps")[2][0][0], -4.0);
      } else {
        EXPECT_THAT(line.at("resps")[0][0].get<std::string>(), HasSubstr("Simulated"));
      }
    });
    EXPECT_EQ(lines, 3);
  }
}

TEST_F(ExportTest, TwoRunsOfOneTaskAreRefused) {
  Plan zero_shot = testing::greedy_plan();
  zero_shot.shots = 0;
  testing::write_run(store_, testing::checkpoint("a"), testing::greedy_plan(), {});
  testing::write_run(store_, testing::checkpoint("a"), zero_shot, {});
  EXPECT_THAT(fbt::testing::error_of([&] { export_lm_eval(all(), folder_.path() / "out", false); }),
              HasSubstr("choose one, as with --only shots="));
}

TEST(LmEvalNames, FoldersAreSafe) {
  EXPECT_EQ(lm_eval_folder_name("org/model:v1"), "org__model__v1");
  EXPECT_EQ(lm_eval_folder_name(".."), "__");
  EXPECT_EQ(lm_eval_folder_name("FBT-200B"), "FBT-200B");
}

}  // namespace
}  // namespace fbt::results
