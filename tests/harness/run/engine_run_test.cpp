// Whole runs of a random model give the same results file whatever the batch, the
// shard and the point of interruption.

#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "harness/run/execute.h"
#include "results/merge/merge.h"
#include "results/store/store.h"
#include "tests/harness/decode/letter_model.h"
#include "tests/harness/run/fake_task.h"

namespace fbt::run {
namespace {

constexpr int kDocuments = 10;

// Documents whose prompts are letters with a common beginning.
class LetterPrompts : public testing::FakePrompts {
 public:
  explicit LetterPrompts(tasks::TaskKind kind) : FakePrompts(kind, kDocuments), kind_(kind) {}
  tasks::Document document(int id) const override {
    std::mt19937 random(static_cast<unsigned>(id));
    const std::string prompt = "many shots " + testing::random_letters(random, 1 + random() % 9);
    tasks::Document document;
    document.id = id;
    if (kind_ == tasks::TaskKind::kMultipleChoice) {
      document.target = 1;
      document.choices = {"abc", "de"};
      document.requests = {{prompt, " abc"}, {prompt, " de"}};
    } else {
      document.target = "none";
      document.reference.gold = "#### 1";
      document.generation = tasks::GenerationRequest{prompt, {"ab"}, 12};
    }
    return document;
  }

 private:
  tasks::TaskKind kind_;
};

class LetterTask : public testing::FakeTask {
 public:
  using FakeTask::FakeTask;
  std::shared_ptr<const tasks::PromptSet> prompts(const tasks::PromptOptions&) const override {
    return std::make_shared<LetterPrompts>(kind());
  }
};

tasks::Selection selection() {
  const auto choices = std::make_shared<LetterTask>(
      "words", tasks::TaskKind::kMultipleChoice, kDocuments, tasks::ScorerSpec{},
      tasks::SamplingDefaults{}, std::vector<std::string>{"acc"});
  const auto texts = [](const std::string& name, tasks::SamplingDefaults sampling) {
    return std::make_shared<LetterTask>(name, tasks::TaskKind::kGeneration, kDocuments,
                                        tasks::ScorerSpec{.name = "gsm8k", .pattern = ""},
                                        std::move(sampling),
                                        std::vector<std::string>{"exact_match"});
  };
  return {.tasks = {choices, texts("sampled", {.samples = 2, .temperatures = {0.4, 0.8}, .k = {1}}),
                    texts("greedy", {.samples = 1, .temperatures = {0}, .k = {1}})},
          .groups = {}};
}

// Hands on to another backend, and breaks off after so many results.
class BreakingBackend : public Backend {
 public:
  BreakingBackend(std::unique_ptr<Backend> backend, std::size_t most_results)
      : backend_(std::move(backend)), left_(most_results) {}

  void score(std::span<const ScoreRequest> requests, const ScoreSink& sink) override {
    if (left_ == 0) return;
    backend_->score(requests, [&](std::size_t index, ScoreResult&& result) {
      return sink(index, std::move(result)) && --left_ > 0;
    });
  }
  void generate(std::span<const GenerateRequest> requests, const GenerateSink& sink) override {
    if (left_ == 0) return;
    backend_->generate(requests, [&](std::size_t index, Completion&& completion) {
      return sink(index, std::move(completion)) && --left_ > 0;
    });
  }
  std::vector<int> tokenize(std::string_view text) const override {
    return backend_->tokenize(text);
  }
  bool has_feedback() const override { return backend_->has_feedback(); }
  int context_length() const override { return backend_->context_length(); }
  BackendCounters counters() const override { return backend_->counters(); }
  std::vector<std::pair<std::string, std::string>> description() const override {
    return backend_->description();
  }

 private:
  std::unique_ptr<Backend> backend_;
  std::size_t left_;
};

// All that the model said, every bit of it, in a fixed order.
std::vector<std::string> rows_of(const std::filesystem::path& database) {
  const results::Store store(database, results::OpenMode::kRead);
  std::vector<std::string> rows;
  for (const results::RunRecord& run : store.runs()) {
    const std::string cell = fmt::format("{} {}", run.plan.task, run.plan.mode);
    for (const results::Choice& row : store.choices(run.id)) {
      rows.push_back(fmt::format("{} {} choice {} {:a} {}", cell, row.doc_id, row.choice,
                                 row.log_likelihood, row.is_greedy));
    }
    store.for_each_generation(run.id, [&](const results::Generation& row) {
      rows.push_back(fmt::format("{} {} sample {} {} {} {:a} {}", cell, row.doc_id, row.temperature,
                                 row.sample, fmt::join(row.tokens, ","), row.log_likelihood,
                                 row.text));
    });
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

class EngineRun : public ::testing::TestWithParam<Dtype>, public testing::LetterModel {
 protected:
  static constexpr std::size_t kAll = static_cast<std::size_t>(-1);

  TorchBackendOptions invariant() const {
    TorchBackendOptions options = LetterModel::options();
    options.dtype = GetParam();
    options.batch_invariant = true;
    return options;
  }

  TorchBackendOptions one_by_one() const {
    TorchBackendOptions options = invariant();
    options.batch_rows = 1;
    options.batch_tokens = 7;
    return options;
  }

  std::filesystem::path file(const std::string& name) const { return results_.path() / name; }

  Outcome run(const TorchBackendOptions& backend, const std::string& database, Shard shard = {},
              std::size_t most_results = kAll) const {
    Subject subject;
    subject.checkpoint.content_hash = "hash";
    subject.checkpoint.name = "letters";
    subject.model.has_feedback = true;
    subject.make_backend = [&](int) {
      return std::make_unique<BreakingBackend>(make_torch_backend(backend), most_results);
    };
    RunOptions options;
    options.database = file(database);
    options.shard = shard;
    return execute(options, subject, selection(), {});
  }

 private:
  testing::TemporaryFolder results_;
};

TEST_P(EngineRun, BatchesOfOneAndOf64GiveTheSameRows) {
  run(invariant(), "whole.sqlite");
  run(one_by_one(), "one.sqlite");
  const std::vector<std::string> rows = rows_of(file("whole.sqlite"));
  EXPECT_EQ(rows.size(), 3U * kDocuments * (2 + 4 + 1));
  EXPECT_EQ(rows_of(file("one.sqlite")), rows);
}

TEST_P(EngineRun, MergedShardsAreTheWhole) {
  run(invariant(), "whole.sqlite");
  run(invariant(), "1.sqlite", {1, 2});
  run(one_by_one(), "2.sqlite", {2, 2});
  results::merge(file("merged.sqlite"), std::vector{file("1.sqlite"), file("2.sqlite")});
  EXPECT_EQ(rows_of(file("merged.sqlite")), rows_of(file("whole.sqlite")));
}

TEST_P(EngineRun, AnInterruptedRunGoesOnWithTheSameRows) {
  run(invariant(), "whole.sqlite");
  std::size_t sessions = 0;
  for (std::size_t most = 5;; most += 23, ++sessions) {
    const auto backend = sessions % 2 == 0 ? invariant() : one_by_one();
    const Outcome outcome = run(backend, "pieces.sqlite", {}, most);
    if (outcome.restored == outcome.answers) break;
    ASSERT_LT(sessions, 20U);
  }
  EXPECT_GT(sessions, 2U);
  EXPECT_EQ(rows_of(file("pieces.sqlite")), rows_of(file("whole.sqlite")));
}

INSTANTIATE_TEST_SUITE_P(Dtypes, EngineRun,
                         ::testing::Values(Dtype::kFloat32, Dtype::kFloat32Fast, Dtype::kBfloat16),
                         [](const auto& info) {
                           return info.param == Dtype::kFloat32    ? "Float32"
                                  : info.param == Dtype::kBfloat16 ? "Bfloat16"
                                                                   : "Float32Fast";
                         });

}  // namespace
}  // namespace fbt::run
