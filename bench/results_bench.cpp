// Writing completions: batches through the store, each durable when append()
// returns, beside the same rows through SQLite with nothing around it. The aim is
// 10,000 completions a second and more.

#include <unistd.h>

#include <filesystem>
#include <string>

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include "results/store/packed_tokens.h"
#include "results/store/store.h"

namespace {

namespace results = fbt::results;

// As of a maths problem: some 100 tokens.
constexpr int kTokens = 100;
const std::string kText(kTokens * 4, 'x');

class Folder {
 public:
  Folder()
      : path_(std::filesystem::temp_directory_path() / fmt::format("fbt-bench-{}", ::getpid())) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::filesystem::path file() const { return path_ / "results.sqlite"; }

 private:
  std::filesystem::path path_;
};

results::Generation generation(std::int64_t document) {
  results::Generation row;
  row.doc_id = document;
  row.text = kText;
  row.tokens.assign(kTokens, 1234);
  row.trace_length = kTokens;
  row.reasoning_length = kTokens - 3;
  row.stop_reason = "stop_string";
  row.verdict = results::Verdict::kRight;
  row.rule = "strict";
  row.extracted = "42";
  row.score = 1;
  row.log_likelihood = -50;
  row.seconds = 0.1;
  return row;
}

void store_append(benchmark::State& state) {
  const auto batch_size = static_cast<std::int64_t>(state.range(0));
  const Folder folder;
  results::Store store(folder.file(), results::OpenMode::kWrite);
  results::Plan plan;
  plan.task = "gsm8k";
  plan.temperatures = {0};
  plan.metrics = {{"exact_match", "v1"}};
  plan.primary_metric = "exact_match";
  results::Checkpoint checkpoint;
  checkpoint.content_hash = checkpoint.name = "bench";
  const auto run = store.get_or_create_run(store.get_or_create_checkpoint(checkpoint),
                                           store.get_or_create_plan(plan), 1'000'000);
  std::int64_t document = 0;
  for (auto _ : state) {
    state.PauseTiming();
    results::Batch batch;
    for (std::int64_t i = 0; i < batch_size; ++i, ++document) {
      batch.documents.push_back({document, "", fmt::format("Question {}?", document), "42", 20, 0});
      batch.generations.push_back(generation(document));
      batch.scores.push_back({document, 0, "exact_match", 1});
    }
    state.ResumeTiming();
    store.append(run, batch);
  }
  state.SetItemsProcessed(state.iterations() * batch_size);
}
BENCHMARK(store_append)->Arg(200)->Arg(1000)->UseRealTime()->Unit(benchmark::kMillisecond);

// The generations only, without documents, prompts, scores and their indices.
void raw_sqlite(benchmark::State& state) {
  const auto batch_size = static_cast<std::int64_t>(state.range(0));
  const Folder folder;
  sqlite3* database = nullptr;
  sqlite3_open(folder.file().c_str(), &database);
  sqlite3_exec(database,
               "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
               "CREATE TABLE generations (run, doc_id, temperature, sample, text, tokens, "
               "trace_length, reasoning_length, stop_reason, random_key, verdict, rule, extracted, "
               "score, log_likelihood, seconds, PRIMARY KEY (run, doc_id, temperature, sample))",
               nullptr, nullptr, nullptr);
  sqlite3_stmt* insert = nullptr;
  sqlite3_prepare_v2(database,
                     "INSERT INTO generations VALUES (1, ?1, 0, 0, ?2, ?3, 100, 97, 'stop_string', "
                     "0, 'right', 'strict', '42', 1, -50, 0.1)",
                     -1, &insert, nullptr);
  const auto tokens = results::pack_tokens(std::vector<int>(kTokens, 1234));
  std::int64_t document = 0;
  for (auto _ : state) {
    sqlite3_exec(database, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr);
    for (std::int64_t i = 0; i < batch_size; ++i, ++document) {
      sqlite3_bind_int64(insert, 1, document);
      sqlite3_bind_text(insert, 2, kText.data(), static_cast<int>(kText.size()), SQLITE_STATIC);
      sqlite3_bind_blob(insert, 3, tokens.data(), static_cast<int>(tokens.size()), SQLITE_STATIC);
      if (sqlite3_step(insert) != SQLITE_DONE) state.SkipWithError(sqlite3_errmsg(database));
      sqlite3_reset(insert);
    }
    sqlite3_exec(database, "COMMIT", nullptr, nullptr, nullptr);
  }
  state.SetItemsProcessed(state.iterations() * batch_size);
  sqlite3_finalize(insert);
  sqlite3_close(database);
}
BENCHMARK(raw_sqlite)->Arg(200)->Arg(1000)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
