#include "harness/run/regrade.h"

#include <csignal>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "harness/run/execute.h"
#include "harness/run/regrade_report.h"
#include "results/store/store.h"
#include "tests/harness/run/sample_backend.h"
#include "tests/support/errors.h"
#include "tests/support/paths.h"

namespace fbt::run {
namespace {

using results::Verdict;
using ::testing::HasSubstr;

Subject subject() {
  Subject subject;
  subject.checkpoint.content_hash = "0123456789";
  subject.checkpoint.name = "small";
  subject.model.has_feedback = true;
  subject.make_backend = [](int) { return std::make_unique<testing::SampleBackend>(); };
  return subject;
}

// All that a regrade may change, in a fixed order.
std::vector<std::string> judged_rows(const std::filesystem::path& database) {
  const results::Store store(database, results::OpenMode::kRead);
  std::vector<std::string> rows;
  for (const results::RunRecord& run : store.runs()) {
    for (const auto& score : store.scores(run.id)) {
      rows.push_back(fmt::format("{} {} {} {} {}", run.id, score.doc_id, score.temperature,
                                 score.metric, score.value));
    }
    store.for_each_generation(run.id, [&](const results::Generation& row) {
      rows.push_back(fmt::format("{} {} {} {} {} {} {} {} {}", run.id, row.doc_id, row.temperature,
                                 row.sample, results::verdict_name(row.verdict), row.rule,
                                 row.extracted, row.score, row.reasoning_length));
    });
  }
  return rows;
}

// A run of the samples that an older scorer judged: some right samples were
// undecided to it, and no document that has one was solved.
class Regrade : public ::testing::Test {
 protected:
  Regrade() {
    options_.database = folder_.path() / "r.sqlite";
    run_.database = options_.database;
    run_.data = "samples";
    run_.tasks = {"gsm8k", "mbpp"};
    run_.modes = {Mode::kStandard, Mode::kFused};
    run_.limit = 6;
    run_.samples = 2;
    run_.temperatures = {0.3, 0.7};
    run_.k = {1, 2};
  }

  void make_run() {
    execute(run_, subject());
    today_ = judged_rows(options_.database);
  }

  // Returns how many samples it spoils.
  std::size_t judge_as_in_the_past() {
    results::Store store(options_.database, results::OpenMode::kWrite);
    std::size_t spoilt = 0;
    for (const results::RunRecord& run : store.runs()) {
      std::vector<results::VerdictUpdate> verdicts;
      std::vector<results::DocumentScore> scores;
      store.for_each_generation(run.id, [&](const results::Generation& row) {
        if (row.doc_id > 2 || row.verdict != Verdict::kRight) return;
        verdicts.push_back({.doc_id = row.doc_id,
                            .temperature = row.temperature,
                            .sample = row.sample,
                            .reasoning_length = row.reasoning_length,
                            .verdict = Verdict::kUndecided,
                            .rule = "undecided",
                            .extracted = row.extracted,
                            .score = 0});
        for (const results::Metric& metric : run.plan.metrics) {
          scores.push_back({row.doc_id, row.temperature, metric.name, 0});
        }
      });
      store.replace_verdicts(run.id, verdicts, scores);
      spoilt += verdicts.size();
    }
    return spoilt;
  }

  testing::TemporaryFolder folder_;
  RunOptions run_;
  RegradeOptions options_;
  std::vector<std::string> today_;  // rows as today's scorers judge
};

TEST_F(Regrade, ReplacesVerdictsAndTheScoresThatFollow) {
  make_run();
  const std::size_t spoilt = judge_as_in_the_past();
  ASSERT_GT(spoilt, 8U);
  const std::vector<std::string> past = judged_rows(options_.database);
  ASSERT_NE(past, today_);

  options_.dry_run = true;
  const RegradeOutcome dry = regrade(options_);
  EXPECT_EQ(judged_rows(options_.database), past);

  options_.dry_run = false;
  const RegradeOutcome outcome = regrade(options_);
  EXPECT_EQ(judged_rows(options_.database), today_);
  EXPECT_EQ(regrade_json(dry, false), regrade_json(outcome, false));

  ASSERT_EQ(outcome.runs.size(), 4U);
  std::size_t changed = 0;
  for (const RegradedRun& run : outcome.runs) {
    EXPECT_EQ(run.samples, 6U * 2 * 2);
    EXPECT_EQ(run.verdicts_changed(), run.changed);
    EXPECT_EQ(run.verdicts[static_cast<std::size_t>(Verdict::kUndecided)]
                          [static_cast<std::size_t>(Verdict::kRight)],
              run.changed);
    ASSERT_FALSE(run.examples.empty());
    EXPECT_EQ(run.examples[0].before.rule, "undecided");
    for (const MetricChange& metric : run.metrics) EXPECT_LE(metric.before, metric.after);
    EXPECT_LT(run.metrics[0].before, run.metrics[0].after);
    changed += run.changed;
  }
  EXPECT_EQ(changed, spoilt);

  for (const RegradedRun& run : regrade(options_).runs) {
    EXPECT_EQ(run.changed, 0U) << "the second regrade";
    EXPECT_TRUE(run.examples.empty());
  }
}

TEST_F(Regrade, TakesOnlyTheRunsAskedFor) {
  make_run();
  judge_as_in_the_past();
  options_.selection.tasks = {"gsm8k"};
  options_.selection.modes = {"fused"};
  options_.selection.checkpoints = {"012345"};
  const RegradeOutcome outcome = regrade(options_);
  ASSERT_EQ(outcome.runs.size(), 1U);
  EXPECT_EQ(outcome.runs[0].run.plan.task, "gsm8k");
  EXPECT_EQ(outcome.runs[0].run.plan.mode, "fused");
  EXPECT_GT(outcome.runs[0].changed, 0U);

  options_.selection.checkpoints = {"smal"};
  EXPECT_EQ(testing::error_of([&] { regrade(options_); }),
            "unknown checkpoint 'smal'; did you mean small?");
  options_.database = folder_.path() / "none.sqlite";
  EXPECT_THAT(testing::error_of([&] { regrade(options_); }), HasSubstr("does not exist"));
}

TEST_F(Regrade, RefusesOtherDataThanTheRuns) {
  make_run();
  const tasks::DataSource samples("samples");
  const std::string gsm8k = samples.read("gsm8k/test.jsonl");
  const std::string mbpp = samples.read("mbpp/mbpp.jsonl");
  const auto with_data = [&](const std::string& questions, const std::string& problems) {
    write_file_atomically(folder_.path() / "gsm8k/test.jsonl", questions);
    write_file_atomically(folder_.path() / "gsm8k/train.jsonl", samples.read("gsm8k/train.jsonl"));
    write_file_atomically(folder_.path() / "mbpp/mbpp.jsonl", problems);
    options_.data = folder_.path();
    return testing::error_of([&] { regrade(options_); });
  };
  std::filesystem::create_directories(folder_.path() / "gsm8k");
  std::filesystem::create_directories(folder_.path() / "mbpp");
  EXPECT_EQ(with_data(gsm8k, mbpp), "no error");

  // The first question asked for another thing.
  std::string changed = gsm8k;
  changed.replace(changed.find('?'), 1, " today?");
  EXPECT_THAT(with_data(changed, mbpp), HasSubstr("document 0; give the run's data with --data"));
  // Only its answer is another one.
  changed = gsm8k;
  changed.replace(changed.find("#### "), 5, "#### 1");
  EXPECT_THAT(with_data(changed, mbpp), HasSubstr("gsm8k standard of small has another"));
  // A file that ends early.
  EXPECT_THAT(with_data(gsm8k.substr(0, gsm8k.find('\n') + 1), mbpp),
              HasSubstr("documents 1, 2, 3, 4, 5; give"));
  // What neither prompt nor target shows.
  changed = mbpp;
  const std::string set_up = R"("test_setup_code":"")";
  const std::size_t first_asked = changed.find(R"("task_id":11)");
  ASSERT_NE(first_asked, std::string::npos);
  changed.replace(changed.find(set_up, first_asked), set_up.size(),
                  R"("test_setup_code":"import math")");
  EXPECT_THAT(with_data(gsm8k, changed), HasSubstr("its data_hash differs"));
}

TEST_F(Regrade, InterruptedKeepsTheRunAsItWas) {
  run_.tasks = {"mbpp"};
  run_.modes = {Mode::kStandard};
  run_.limit = 1;
  make_run();
  {
    // Programs that take their time.
    results::Store store(options_.database, results::OpenMode::kWrite);
    results::Batch slow;
    for (int sample = 2; sample < 12; ++sample) {
      results::Generation row;
      row.temperature = 0.3;
      row.sample = sample;
      row.text = "import time\ntime.sleep(0.2)\n";
      slow.generations.push_back(row);
    }
    store.append(store.runs().front().id, slow);
  }
  judge_as_in_the_past();
  const std::vector<std::string> past = judged_rows(options_.database);

  std::jthread interrupter([](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      struct sigaction action = {};
      sigaction(SIGINT, nullptr, &action);
      if (action.sa_handler != SIG_DFL) {  // the guard is there
        std::raise(SIGINT);
        return;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  EXPECT_THAT(testing::error_of<InterruptedError>([&] { regrade(options_); }),
              HasSubstr("mbpp standard of small keeps its verdicts"));
  EXPECT_EQ(judged_rows(options_.database), past);
}

TEST_F(Regrade, MeasuresReasoningAgainWhereTheAnswerMoved) {
  run_.tasks = {"gsm8k"};
  run_.modes = {Mode::kStandard};
  make_run();
  // A tokenizer of single bytes, as the backend counts them.
  std::string vocabulary;
  for (int c = '!'; c <= '~'; ++c) {
    const char text = static_cast<char>(c);
    vocabulary += fmt::format("{}: {}, ", nlohmann::json(std::string(1, text)).dump(), c);
  }
  vocabulary += R"("Ġ": 32, "Ċ": 10)";
  write_file_atomically(folder_.path() / "tokenizer.json",
                        R"({"version": "1.0", "added_tokens": [], "normalizer": null,
  "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, "use_regex": true},
  "post_processor": null, "decoder": {"type": "ByteLevel"},
  "model": {"type": "BPE", "vocab": {)" +
                            vocabulary + R"(}, "merges": []}})");
  {
    results::Store store(options_.database, results::OpenMode::kWrite);
    std::vector<results::VerdictUpdate> verdicts;
    const results::RunId run = store.runs().front().id;
    store.for_each_generation(run, [&](const results::Generation& row) {
      verdicts.push_back({.doc_id = row.doc_id,
                          .temperature = row.temperature,
                          .sample = row.sample,
                          .reasoning_length = 1,
                          .verdict = Verdict::kWrong,
                          .rule = "older",
                          .extracted = "something else",
                          .score = 0});
    });
    store.replace_verdicts(run, verdicts, {});
  }
  options_.dry_run = true;
  EXPECT_EQ(regrade(options_).runs[0].lengths_kept, 24U);
  options_.dry_run = false;
  options_.tokenizer = folder_.path();
  EXPECT_EQ(regrade(options_).runs[0].lengths_kept, 0U);
  EXPECT_EQ(judged_rows(options_.database), today_);
}

TEST_F(Regrade, LeavesChoicesAlone) {
  make_run();
  results::Store store(options_.database, results::OpenMode::kWrite);
  results::Plan plan = store.runs().front().plan;
  plan.task = "boolq";
  plan.kind = "log_likelihood";
  store.get_or_create_run(store.get_or_create_checkpoint(store.runs().front().checkpoint),
                          store.get_or_create_plan(plan), 6);
  const RegradeOutcome outcome = regrade(options_);
  EXPECT_EQ(outcome.choice_runs, 1U);
  EXPECT_EQ(outcome.runs.size(), 4U);
}

}  // namespace
}  // namespace fbt::run
