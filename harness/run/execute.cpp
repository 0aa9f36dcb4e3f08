#include "harness/run/execute.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/version.h"
#include "harness/run/choice_stage.h"
#include "harness/run/collector.h"
#include "harness/run/interrupt.h"
#include "harness/run/judge_stage.h"
#include "harness/run/progress.h"
#include "harness/run/recorder.h"
#include "harness/run/thread_split.h"
#include "results/store/store.h"
#include "tasks/data_source.h"

namespace fbt::run {
namespace {

// What the store already holds of a cell.
struct Held {
  std::set<std::pair<int, double>> scored;         // (document, temperature) that is done
  std::set<std::tuple<int, double, int>> samples;  // stored samples of unfinished documents
};

Held held_of(const results::Store& store, const Cell& cell) {
  Held held;
  for (const results::DocumentScore& score : store.scores(cell.run)) {
    if (score.metric == cell.plan.primary_metric) {
      held.scored.emplace(static_cast<int>(score.doc_id), score.temperature);
    }
  }
  for (const results::SampleOutcome& sample : store.outcomes(cell.run)) {
    const int document = static_cast<int>(sample.doc_id);
    if (!held.scored.contains({document, sample.temperature})) {
      held.samples.emplace(document, sample.temperature, sample.sample);
    }
  }
  return held;
}

// What is left to ask of the model.
struct Work {
  std::vector<ChoiceJob> choices;
  std::vector<SampleId> samples;
  std::size_t answers = 0;   // planned
  std::size_t restored = 0;  // of these in the store
  bool unfinished_stored = false;
  bool code = false;

  bool nothing() const { return restored == answers && !unfinished_stored; }
};

void add_cell(Work& work, const std::vector<Cell>& cells, std::size_t index, const Held& held) {
  const Cell& cell = cells[index];
  if (!cell.is_generation()) {
    for (const int document : cell.documents) {
      ++work.answers;
      if (held.scored.contains({document, 0.0})) {
        ++work.restored;
      } else {
        work.choices.push_back({index, document});
      }
    }
    return;
  }
  std::size_t open = 0;
  for (const int document : cell.documents) {
    for (const double temperature : cell.plan.temperatures) {
      const bool scored = held.scored.contains({document, temperature});
      open += scored ? 0 : 1;
      for (int sample = 0; sample < cell.plan.samples; ++sample) {
        ++work.answers;
        if (scored || held.samples.contains({document, temperature, sample})) {
          ++work.restored;
        } else {
          work.samples.push_back({index, document, temperature, sample});
        }
      }
    }
  }
  work.unfinished_stored = work.unfinished_stored || !held.samples.empty();
  if (open > 0 && runs_code(cell.task->scorer())) work.code = true;
}

// All that is asked of a document side by side, in whatever mode: the engine
// then has its prompt at hand.
template <typename Asked>
void sort_by_document(const std::vector<Cell>& cells, std::vector<Asked>& all) {
  std::vector<std::size_t> task_of;  // by cell
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const bool new_task = c == 0 || cells[c].task != cells[c - 1].task;
    task_of.push_back(c == 0 ? 0 : task_of.back() + (new_task ? 1 : 0));
  }
  std::stable_sort(all.begin(), all.end(), [&](const Asked& a, const Asked& b) {
    return std::pair(task_of[a.cell], a.document) < std::pair(task_of[b.cell], b.document);
  });
}

// `samples` sorted by document.
std::vector<GenerateRequest> requests_for(const std::vector<Cell>& cells,
                                          const std::vector<SampleId>& samples) {
  std::vector<GenerateRequest> requests;
  requests.reserve(samples.size());
  const tasks::PromptSet* prompts = nullptr;
  tasks::Document document;
  for (const SampleId& id : samples) {
    const Cell& cell = cells[id.cell];
    if (cell.prompts.get() != prompts || document.id != id.document) {
      prompts = cell.prompts.get();
      document = prompts->document(id.document);
    }
    requests.push_back({.prompt = document.generation->context,
                        .prompt_tokens = {},
                        .mode = cell.mode,
                        .feedback_steps = cell.plan.feedback_steps,
                        .temperature = id.temperature,
                        .stop = document.generation->until,
                        .max_new_tokens = cell.plan.max_new_tokens,
                        .random_key = sample_key(cell.plan.seed, cell.plan.task, id.document,
                                                 cell.mode, id.temperature, id.sample)});
  }
  return requests;
}

std::unique_ptr<sandbox::Pool> start_sandbox(const RunOptions& options, int workers) {
  sandbox::Options pool;
  pool.workers = workers;
  pool.unsafe = options.unsafe_code;
  return std::make_unique<sandbox::Pool>(pool);
}

results::Environment environment_of(const Backend& backend, const sandbox::Pool* pool,
                                    int threads) {
  results::Environment environment;
  environment.program_version = kVersion;
  environment.threads = threads;
  for (const auto& [key, value] : backend.description()) {
    if (key == "version") environment.libtorch_version = value;
    if (key == "device") environment.device = value;
  }
  if (pool != nullptr) environment.sandbox_tier = sandbox::tier_name(pool->tier());
  return environment;
}

std::string counters_json(const Outcome& outcome) {
  const BackendCounters& counters = outcome.counters;
  nlohmann::json seconds = nlohmann::json::object();
  for (const auto& [stage, spent] : outcome.profile) seconds[stage] = spent;
  return nlohmann::json{{"prompt_tokens_asked", counters.prompt_tokens_asked},
                        {"prompt_tokens_computed", counters.prompt_tokens_computed},
                        {"generated_tokens", counters.generated_tokens},
                        {"profile", seconds}}
      .dump();
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

std::string label(const Cell& cell) {
  return fmt::format("{} {}", cell.plan.task, cell.plan.mode);
}

// Asks the model for all that is left. Stops early on a signal or a failed write.
void work_through(const RunOptions& options, const std::vector<Cell>& cells, const Work& work,
                  const results::Store& store, Backend& backend, sandbox::Pool* pool,
                  int judge_threads, Outcome& outcome) {
  const InterruptGuard guard;
  Recorder recorder(options.database);
  Collector collector(cells, recorder);
  JudgeStage judges(cells, pool, judge_threads,
                    [&](JudgedSample&& sample) { collector.add(std::move(sample)); });
  const auto begin = std::chrono::steady_clock::now();
  {
    Progress progress(work.answers, work.restored);
    const auto go_on = [&](std::size_t cell) {
      progress.answered(label(cells[cell]), backend.counters());
      return !interrupted() && !judges.failed();
    };
    if (work.unfinished_stored) {
      for (std::size_t cell = 0; cell < cells.size(); ++cell) {
        if (!cells[cell].is_generation()) continue;
        const Held held = held_of(store, cells[cell]);
        store.for_each_generation(cells[cell].run, [&](const results::Generation& row) {
          const SampleId id{cell, static_cast<int>(row.doc_id), row.temperature, row.sample};
          if (held.samples.contains({id.document, id.temperature, id.sample})) {
            judges.push_stored(id, row.text);
          }
        });
      }
    }
    if (!work.choices.empty() && !interrupted()) {
      score_choices(cells, work.choices, backend, recorder, go_on);
    }
    if (!work.samples.empty() && !interrupted()) {
      const std::vector<GenerateRequest> requests = requests_for(cells, work.samples);
      backend.generate(requests, [&](std::size_t index, Completion&& completion) {
        const SampleId& id = work.samples[index];
        judges.push(id, std::move(completion));
        return go_on(id.cell);
      });
    }
  }
  const double answered = seconds_since(begin);
  judges.finish();
  recorder.finish();
  outcome.seconds = seconds_since(begin);
  outcome.profile = run_profile(backend.profile(), {.whole = outcome.seconds,
                                                    .tail = outcome.seconds - answered,
                                                    .scoring = judges.scoring_seconds(),
                                                    .sandbox = judges.sandbox_seconds(),
                                                    .database = recorder.seconds()});
  if (judges.faults() > 0) {
    throw EnvironmentError(fmt::format(
        "the sandbox failed on {} programs and they are not counted; fbt-eval doctor shows its "
        "state; repeat the command to go on",
        judges.faults()));
  }
  if (interrupted()) {
    throw InterruptedError(
        fmt::format("interrupted; {} keeps what was done, the same command goes on from there",
                    options.database.string()));
  }
}

}  // namespace

std::string data_folder_for(const RunOptions& options) {
  if (!options.data.empty()) return options.data;
  if (options.checkpoint == "demo") return "samples";
  return tasks::default_data_folder().string();
}

Outcome execute(const RunOptions& options, const Subject& subject) {
  tasks::Registry registry;
  const tasks::Selection selection =
      registry.resolve(options.tasks, tasks::DataSource(data_folder_for(options)));
  return execute(options, subject, selection, registry.groups());
}

Outcome execute(const RunOptions& options, const Subject& subject,
                const tasks::Selection& selection,
                const std::vector<tasks::Group>& registry_groups) {
  std::vector<Cell> cells = plan_cells(options, selection, registry_groups, subject.model);

  results::Store store(options.database, results::OpenMode::kWrite);
  const results::CheckpointId checkpoint = store.get_or_create_checkpoint(subject.checkpoint);
  Outcome outcome;
  Work work;
  for (std::size_t index = 0; index < cells.size(); ++index) {
    Cell& cell = cells[index];
    cell.run = store.get_or_create_run(checkpoint, store.get_or_create_plan(cell.plan),
                                       cell.documents_planned, options.fresh);
    outcome.runs.push_back(cell.run);
    add_cell(work, cells, index, held_of(store, cell));
  }
  sort_by_document(cells, work.choices);
  sort_by_document(cells, work.samples);
  outcome.answers = work.answers;
  outcome.restored = work.restored;
  if (work.nothing()) return outcome;

  const ThreadSplit threads =
      split_threads(static_cast<int>(std::thread::hardware_concurrency()),
                    options.device.starts_with("cpu"), work.code, options.threads);
  const std::unique_ptr<sandbox::Pool> pool =
      work.code ? start_sandbox(options, threads.sandbox) : nullptr;
  const std::unique_ptr<Backend> backend = subject.make_backend(threads.model);
  std::vector<results::SessionId> sessions;
  const results::Environment environment = environment_of(*backend, pool.get(), threads.model);
  for (const Cell& cell : cells) sessions.push_back(store.begin_session(cell.run, environment));
  const auto end_sessions = [&](results::SessionStatus status) {
    outcome.counters = backend->counters();
    for (const results::SessionId session : sessions) {
      store.end_session(session, status, counters_json(outcome));
    }
  };
  try {
    work_through(options, cells, work, store, *backend, pool.get(), threads.sandbox, outcome);
  } catch (const InterruptedError&) {
    end_sessions(results::SessionStatus::kInterrupted);
    throw;
  } catch (...) {
    end_sessions(results::SessionStatus::kFailed);
    throw;
  }
  end_sessions(results::SessionStatus::kFinished);
  return outcome;
}

}  // namespace fbt::run
