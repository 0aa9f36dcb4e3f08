#include "harness/run/recorder.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/support/paths.h"

namespace fbt::run {
namespace {

results::RunId make_run(const std::filesystem::path& path) {
  results::Store store(path, results::OpenMode::kWrite);
  results::Plan plan;
  plan.task = "sums";
  plan.mode = "standard";
  plan.kind = "generation";
  plan.temperatures = {0};
  plan.metrics = {{"exact_match", "x"}};
  plan.primary_metric = "exact_match";
  results::Checkpoint checkpoint;
  checkpoint.content_hash = "c";
  checkpoint.name = "c";
  return store.get_or_create_run(store.get_or_create_checkpoint(checkpoint),
                                 store.get_or_create_plan(plan), 1000);
}

results::Batch row(int document) {
  results::Batch rows;
  rows.documents.push_back({.doc_id = document, .subject = "", .prompt = "p", .target = "t"});
  rows.scores.push_back({document, 0, "exact_match", 1});
  return rows;
}

TEST(Recorder, WritesAllFromManyThreads) {
  const testing::TemporaryFolder folder;
  const auto path = folder.path() / "r.sqlite";
  const results::RunId run = make_run(path);
  Recorder recorder(path);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 250; ++i) recorder.record(run, row(thread * 250 + i));
    });
  }
  for (std::thread& thread : threads) thread.join();
  recorder.finish();
  EXPECT_EQ(results::Store(path, results::OpenMode::kRead).scores(run).size(), 1000U);
}

TEST(Recorder, PassesAFailedWriteOn) {
  const testing::TemporaryFolder folder;
  const auto path = folder.path() / "r.sqlite";
  make_run(path);
  Recorder recorder(path);
  recorder.record(9999, row(0));  // no such run: a broken reference
  EXPECT_THROW(recorder.finish(), Error);
}

}  // namespace
}  // namespace fbt::run
