#include "harness/run/regrade.h"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/version.h"
#include "harness/run/interrupt.h"
#include "harness/run/judge_stage.h"
#include "harness/run/score_gatherer.h"
#include "harness/run/stored_cell.h"
#include "harness/tokenizer/incremental_detokenizer.h"
#include "harness/tokenizer/tokenizer.h"
#include "results/store/store.h"

namespace fbt::run {
namespace {

constexpr std::size_t kMostExamples = 10;

using ScoreKey = std::tuple<std::string, double, std::int64_t>;  // metric, temperature, document
using Scores = std::map<ScoreKey, double>;

ScoreKey key_of(const results::DocumentScore& score) {
  return {score.metric, score.temperature, score.doc_id};
}

double mean_of(const Scores& scores, const std::string& metric, double temperature) {
  double sum = 0;
  int documents = 0;
  for (auto each = scores.lower_bound({metric, temperature, 0});
       each != scores.end() && std::get<0>(each->first) == metric &&
       std::get<1>(each->first) == temperature;
       ++each) {
    sum += each->second;
    ++documents;
  }
  return documents == 0 ? 0 : sum / documents;
}

// Where each token's text ends in `row.text`; empty where the tokens do not spell it.
std::vector<std::size_t> text_ends(const results::Generation& row, const Tokenizer& tokenizer) {
  IncrementalDetokenizer detokenizer(tokenizer, /*skip_special=*/true);
  std::string text;
  std::vector<std::size_t> ends;
  for (const int token : row.tokens) {
    text += detokenizer.push(token);
    ends.push_back(std::min(text.size(), row.text.size()));
  }
  text += detokenizer.flush();
  if (!text.starts_with(row.text)) return {};
  return ends;
}

// One run's samples on their way through the judges.
class RunRegrade {
 public:
  // `tokenizer` may be null.
  RunRegrade(const Cell& cell, results::RunRecord run, const Tokenizer* tokenizer)
      : cells_{cell}, tokenizer_(tokenizer), gatherer_(cells_) {
    regraded_.run = std::move(run);
  }

  // Throws InterruptedError, EnvironmentError and what the store throws.
  void judge_all(const results::Store& store, sandbox::Pool* pool, int threads);
  void write(results::Store& store, const results::Environment& environment) const;
  RegradedRun result() { return std::move(regraded_); }

 private:
  void stop_if_interrupted() const;
  void deliver(JudgedSample&& sample);
  int reasoning_length_of(const results::Generation& before, const Judgement& judgement);
  void compare_scores(const results::Store& store);
  void keep_first_examples();

  const std::vector<Cell> cells_;  // one
  const Tokenizer* const tokenizer_;
  ScoreGatherer gatherer_;

  std::mutex mutex_;                                 // guards all below while the judges work
  std::map<SampleId, results::Generation> waiting_;  // in the judges' hands
  RegradedRun regraded_;
  std::vector<results::VerdictUpdate> updates_;  // of samples that changed
  std::vector<results::DocumentScore> scores_;   // of complete documents; later those that changed
};

void RunRegrade::judge_all(const results::Store& store, sandbox::Pool* pool, int threads) {
  JudgeStage judges(cells_, pool, threads,
                    [this](JudgedSample&& sample) { deliver(std::move(sample)); });
  store.for_each_generation(regraded_.run.id, [&](const results::Generation& row) {
    stop_if_interrupted();
    const SampleId id{0, static_cast<int>(row.doc_id), row.temperature, row.sample};
    {
      const std::scoped_lock lock(mutex_);
      waiting_.emplace(id, row);
    }
    judges.push_stored(id, row.text);
  });
  judges.finish();
  if (judges.faults() > 0) {
    throw EnvironmentError(fmt::format(
        "the sandbox failed on {} programs of {}, which stays as it was; fbt-eval doctor shows its "
        "state",
        judges.faults(), run_title(regraded_.run)));
  }
  compare_scores(store);
  keep_first_examples();
}

// Here and not only where samples are read: a queue full of programs takes a while.
void RunRegrade::stop_if_interrupted() const {
  if (!interrupted()) return;
  throw InterruptedError(fmt::format(
      "interrupted; {} keeps its verdicts as they were, runs regraded before it their new ones",
      run_title(regraded_.run)));
}

void RunRegrade::deliver(JudgedSample&& sample) {
  stop_if_interrupted();
  const Judgement& judgement = sample.judgement;
  std::vector<results::DocumentScore> scores = gatherer_.add(sample.id, judgement);
  const std::scoped_lock lock(mutex_);
  std::move(scores.begin(), scores.end(), std::back_inserter(scores_));
  const results::Generation before = std::move(waiting_.extract(sample.id).mapped());
  ++regraded_.samples;
  ++regraded_.verdicts[static_cast<std::size_t>(before.verdict)]
                      [static_cast<std::size_t>(judgement.verdict)];
  const int reasoning = reasoning_length_of(before, judgement);
  if (judgement.verdict == before.verdict && judgement.score == before.score &&
      judgement.rule == before.rule && judgement.extracted == before.extracted &&
      reasoning == before.reasoning_length) {
    return;
  }
  ++regraded_.changed;
  updates_.push_back({.doc_id = before.doc_id,
                      .temperature = before.temperature,
                      .sample = before.sample,
                      .reasoning_length = reasoning,
                      .verdict = judgement.verdict,
                      .rule = judgement.rule,
                      .extracted = judgement.extracted,
                      .score = judgement.score});
  if (judgement.verdict == before.verdict) return;
  regraded_.examples.push_back({.doc_id = before.doc_id,
                                .temperature = before.temperature,
                                .sample = before.sample,
                                .before = {before.verdict, before.rule, before.extracted},
                                .after = {judgement.verdict, judgement.rule, judgement.extracted}});
}

// As stored where the same answer is found.
int RunRegrade::reasoning_length_of(const results::Generation& before, const Judgement& judgement) {
  if (judgement.extracted == before.extracted) return before.reasoning_length;
  Completion completion;
  completion.trace_tokens = before.trace_length;
  if (tokenizer_ != nullptr) completion.text_ends = text_ends(before, *tokenizer_);
  if (judgement.answer_offset && completion.text_ends.empty()) {
    ++regraded_.lengths_kept;
    return before.reasoning_length;
  }
  return reasoning_length(completion, judgement);
}

void RunRegrade::compare_scores(const results::Store& store) {
  Scores before;
  for (const results::DocumentScore& score : store.scores(regraded_.run.id)) {
    before.insert_or_assign(key_of(score), score.value);
  }
  Scores after = before;
  for (const results::DocumentScore& score : scores_) {
    after.insert_or_assign(key_of(score), score.value);
  }
  std::erase_if(scores_, [&](const results::DocumentScore& score) {
    const auto stored = before.find(key_of(score));
    return stored != before.end() && stored->second == score.value;
  });
  const results::Plan& plan = regraded_.run.plan;
  for (const results::Metric& metric : plan.metrics) {
    for (const double temperature : plan.temperatures) {
      regraded_.metrics.push_back({metric.name, temperature,
                                   mean_of(before, metric.name, temperature),
                                   mean_of(after, metric.name, temperature)});
    }
  }
}

void RunRegrade::keep_first_examples() {
  const auto place = [](const VerdictChange& change) {
    return std::tuple(change.doc_id, change.temperature, change.sample);
  };
  std::sort(regraded_.examples.begin(), regraded_.examples.end(),
            [&](const auto& a, const auto& b) { return place(a) < place(b); });
  if (regraded_.examples.size() > kMostExamples) regraded_.examples.resize(kMostExamples);
}

void RunRegrade::write(results::Store& store, const results::Environment& environment) const {
  const results::RunId run = regraded_.run.id;
  const results::SessionId session = store.begin_session(run, environment);
  store.replace_verdicts(run, updates_, scores_);
  store.end_session(session, results::SessionStatus::kFinished,
                    nlohmann::json{{"regraded_samples", regraded_.samples},
                                   {"changed_samples", regraded_.changed},
                                   {"changed_scores", scores_.size()}}
                        .dump());
}

std::vector<results::ChosenRun> chosen_runs(const results::Store& store,
                                            const RegradeOptions& options,
                                            tasks::Registry& registry) {
  results::SelectionOptions selection = options.selection;
  std::vector<std::string> names;
  for (const std::string& name : selection.tasks) {
    if (!name.ends_with(".json")) {
      names.push_back(name);
      continue;
    }
    for (std::string& task : registry.expand({name})) names.push_back(std::move(task));
  }
  selection.tasks = std::move(names);
  return results::choose_runs(std::span(&store, 1), selection);
}

// The tokenizer asked for, else the one where the checkpoint lay, else none.
std::optional<Tokenizer> tokenizer_of(const RegradeOptions& options,
                                      const results::Checkpoint& checkpoint) {
  if (!options.tokenizer.empty()) return Tokenizer::load(options.tokenizer);
  const std::filesystem::path file = std::filesystem::path(checkpoint.path) / "tokenizer.json";
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return std::nullopt;
  return Tokenizer::load(file);
}

}  // namespace

std::size_t RegradedRun::verdicts_changed() const {
  std::size_t count = 0;
  for (std::size_t before = 0; before < verdicts.size(); ++before) {
    for (std::size_t after = 0; after < verdicts.size(); ++after) {
      if (before != after) count += verdicts[before][after];
    }
  }
  return count;
}

RegradeOutcome regrade(const RegradeOptions& options) {
  const auto mode = options.dry_run ? results::OpenMode::kRead : results::OpenMode::kWrite;
  if (!std::filesystem::exists(options.database)) {
    throw InputError(options.database.string() + " does not exist; give the results with --db");
  }
  results::Store store(options.database, mode);
  tasks::Registry registry;
  RegradeOutcome outcome;
  std::vector<std::pair<results::RunRecord, Cell>> work;
  bool code = false;
  for (auto& [from, run] : chosen_runs(store, options, registry)) {
    if (run.plan.kind != "generation") {
      ++outcome.choice_runs;
      continue;
    }
    Cell cell = stored_cell(store, run, registry, options.data);
    code = code || runs_code(cell.task->scorer());
    work.emplace_back(std::move(run), std::move(cell));
  }

  const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const int threads = options.threads > 0 ? options.threads : cores;
  std::unique_ptr<sandbox::Pool> pool;
  results::Environment environment{.program_version = kVersion,
                                   .libtorch_version = "",
                                   .device = "cpu",
                                   .threads = threads,
                                   .sandbox_tier = ""};
  if (code) {
    sandbox::Options sandbox;
    sandbox.workers = threads;
    sandbox.unsafe = options.unsafe_code;
    pool = std::make_unique<sandbox::Pool>(sandbox);
    environment.sandbox_tier = sandbox::tier_name(pool->tier());
  }
  const InterruptGuard guard;
  for (auto& [run, cell] : work) {
    const std::optional<Tokenizer> tokenizer = tokenizer_of(options, run.checkpoint);
    RunRegrade regrading(cell, run, tokenizer ? &*tokenizer : nullptr);
    regrading.judge_all(store, pool.get(), threads);
    if (!options.dry_run) regrading.write(store, environment);
    outcome.runs.push_back(regrading.result());
  }
  return outcome;
}

}  // namespace fbt::run
