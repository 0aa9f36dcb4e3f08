#include "harness/run/execute.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "base/error.h"
#include "results/store/store.h"
#include "tests/harness/run/fake_backend.h"
#include "tests/harness/run/fake_task.h"
#include "tests/support/paths.h"

namespace fbt::run {
namespace {

constexpr int kDocuments = 20;
const tasks::SamplingDefaults kGrid{.samples = 4, .temperatures = {0.3, 0.7}, .k = {1, 2}};

tasks::Selection selection() {
  const auto choices = std::make_shared<testing::FakeTask>(
      "parity", tasks::TaskKind::kMultipleChoice, kDocuments, tasks::ScorerSpec{},
      tasks::SamplingDefaults{}, std::vector<std::string>{"acc"});
  return {.tasks = {testing::sums_task(kDocuments, kGrid), choices}, .groups = {}};
}

Subject subject(std::size_t most_results = static_cast<std::size_t>(-1)) {
  Subject subject;
  subject.checkpoint.content_hash = "hash";
  subject.checkpoint.name = "fake";
  subject.model.has_feedback = true;
  subject.make_backend = [most_results](int) {
    return std::make_unique<testing::FakeBackend>(most_results);
  };
  return subject;
}

RunOptions options_for(const std::filesystem::path& database) {
  RunOptions options;
  options.database = database;
  return options;
}

// All that a table is made of, in a fixed order.
std::vector<std::string> rows_of(const std::filesystem::path& database) {
  const results::Store store(database, results::OpenMode::kRead);
  std::vector<std::string> rows;
  for (const results::RunRecord& run : store.runs()) {
    const std::string cell = fmt::format("{} {}", run.plan.task, run.plan.mode);
    for (const auto& score : store.scores(run.id)) {
      rows.push_back(fmt::format("{} score {} {} {} {}", cell, score.doc_id, score.temperature,
                                 score.metric, score.value));
    }
    store.for_each_generation(run.id, [&](const results::Generation& row) {
      rows.push_back(fmt::format("{} sample {} {} {} {}", cell, row.doc_id, row.temperature,
                                 row.sample, row.text));
    });
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

TEST(Execute, FillsEveryCell) {
  const testing::TemporaryFolder folder;
  const auto options = options_for(folder.path() / "r.sqlite");
  const Outcome outcome = execute(options, subject(), selection(), {});
  ASSERT_EQ(outcome.runs.size(), 6U);  // two tasks in three modes
  EXPECT_EQ(outcome.restored, 0U);
  EXPECT_EQ(outcome.answers, 3U * (kDocuments * 2 * 4 + kDocuments));
  const results::Store store(options.database, results::OpenMode::kRead);
  for (const results::RunRecord& run : store.runs()) {
    EXPECT_TRUE(run.complete()) << run.plan.task;
  }
  // Every sample's score is what its key says, and exact_match is their mean.
  for (const results::RunId run : {outcome.runs[0], outcome.runs[2]}) {
    std::map<std::pair<std::int64_t, double>, double> right;
    store.for_each_generation(run, [&](const results::Generation& row) {
      EXPECT_EQ(row.score, row.random_key % 2 == 0 ? 1 : 0);
      right[{row.doc_id, row.temperature}] += row.score;
    });
    for (const auto& score : store.scores(run)) {
      if (score.metric != "exact_match") continue;
      EXPECT_EQ(score.value, (right[{score.doc_id, score.temperature}] / 4));
    }
  }
}

TEST(Execute, RepeatingAsksNothing) {
  const testing::TemporaryFolder folder;
  const auto options = options_for(folder.path() / "r.sqlite");
  execute(options, subject(), selection(), {});
  Subject no_model = subject();
  no_model.make_backend = [](int) -> std::unique_ptr<Backend> {
    ADD_FAILURE() << "the model was loaded for nothing";
    return nullptr;
  };
  const Outcome again = execute(options, no_model, selection(), {});
  EXPECT_EQ(again.restored, again.answers);
}

TEST(Execute, GoesOnWhereItStoppedWithTheSameRows) {
  const testing::TemporaryFolder folder;
  const auto whole = options_for(folder.path() / "whole.sqlite");
  execute(whole, subject(), selection(), {});
  const auto pieces = options_for(folder.path() / "pieces.sqlite");
  std::size_t sessions = 0;
  for (std::size_t stop = 1;; stop += 37, ++sessions) {
    const Outcome outcome = execute(pieces, subject(stop), selection(), {});
    if (outcome.restored == outcome.answers) break;
    ASSERT_LT(sessions, 100U);
  }
  EXPECT_GT(sessions, 3U);
  EXPECT_EQ(rows_of(pieces.database), rows_of(whole.database));
}

TEST(Execute, ShardsAddUpToTheWhole) {
  const testing::TemporaryFolder folder;
  const auto whole = options_for(folder.path() / "whole.sqlite");
  execute(whole, subject(), selection(), {});
  auto shard = options_for(folder.path() / "shards.sqlite");
  for (int i = 1; i <= 3; ++i) {
    shard.shard = {i, 3};
    execute(shard, subject(), selection(), {});
  }
  EXPECT_EQ(rows_of(shard.database), rows_of(whole.database));
}

TEST(Execute, FreshStartsOver) {
  const testing::TemporaryFolder folder;
  auto options = options_for(folder.path() / "r.sqlite");
  execute(options, subject(), selection(), {});
  options.fresh = true;
  EXPECT_EQ(execute(options, subject(), selection(), {}).restored, 0U);
}

TEST(Execute, RefusesADatabaseItCannotUse) {
  const testing::TemporaryFolder folder;
  EXPECT_THROW(execute(options_for(folder.path()), subject(), selection(), {}), Error);
  EXPECT_THROW(execute(options_for("/nonexistent/r.sqlite"), subject(), selection(), {}), Error);
}

}  // namespace
}  // namespace fbt::run
