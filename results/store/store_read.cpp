// The reading half of Store.

#include <fmt/format.h>

#include "base/error.h"
#include "results/store/database.h"
#include "results/store/packed_tokens.h"
#include "results/store/store.h"

namespace fbt::results {
namespace {

std::optional<double> optional_real(const Statement& statement, int column) {
  if (statement.is_null(column)) return std::nullopt;
  return statement.real(column);
}

Verdict verdict_of(std::string_view name) {
  if (name == "right") return Verdict::kRight;
  return name == "wrong" ? Verdict::kWrong : Verdict::kUndecided;
}

constexpr const char* kSelectRuns =
    "SELECT r.id, c.content_hash, c.name, c.train_tokens, c.average_passes, c.family, c.stage, "
    "c.path, p.settings, r.documents_planned, l.documents_done, r.started_at, "
    "(SELECT MAX(ended_at) FROM sessions WHERE run = r.id AND status = 'finished') "
    "FROM runs r JOIN checkpoints c ON c.id = r.checkpoint JOIN plans p ON p.id = r.plan "
    "JOIN run_list l ON l.run = r.id ";

std::vector<RunRecord> read_runs(Statement& select, const std::filesystem::path& path) {
  std::vector<RunRecord> runs;
  while (select.step()) {
    RunRecord& run = runs.emplace_back();
    run.id = select.integer(0);
    run.checkpoint.content_hash = select.text(1);
    run.checkpoint.name = select.text(2);
    run.checkpoint.train_tokens = optional_real(select, 3);
    run.checkpoint.average_passes = optional_real(select, 4);
    run.checkpoint.family = select.text(5);
    run.checkpoint.stage = select.text(6);
    run.checkpoint.path = select.text(7);
    run.plan = plan_from_json(select.text(8),
                              fmt::format("{}: the plan of run {}", path.string(), run.id));
    run.documents_planned = static_cast<int>(select.integer(9));
    run.documents_done = static_cast<int>(select.integer(10));
    run.started_at = select.text(11);
    run.finished_at = select.text(12);
  }
  return runs;
}

}  // namespace

std::vector<RunRecord> Store::runs() const {
  Statement select(*database_,
                   fmt::format("{} ORDER BY c.train_tokens, c.name, p.task, "
                               "CASE p.mode WHEN 'standard' THEN 0 WHEN 'soft' THEN 1 ELSE 2 END, "
                               "p.mode_label, r.id",
                               kSelectRuns));
  return read_runs(select, path_);
}

RunRecord Store::run(RunId id) const {
  Statement select(*database_, fmt::format("{} WHERE r.id = ?1", kSelectRuns));
  select.bind(1, id);
  std::vector<RunRecord> found = read_runs(select, path_);
  if (found.empty()) throw InputError(fmt::format("{} has no run {}", path_.string(), id));
  return std::move(found.front());
}

std::optional<RunId> Store::find_run(const std::string& checkpoint_hash,
                                     const std::string& plan_hash) const {
  Statement select(*database_,
                   "SELECT r.id FROM runs r JOIN checkpoints c ON c.id = r.checkpoint "
                   "JOIN plans p ON p.id = r.plan WHERE c.content_hash = ?1 AND p.hash = ?2");
  select.bind(1, checkpoint_hash).bind(2, plan_hash);
  if (!select.step()) return std::nullopt;
  return select.integer(0);
}

std::vector<Session> Store::sessions(RunId run) const {
  Statement select(*database_,
                   "SELECT id, program_version, libtorch_version, device, threads, sandbox_tier, "
                   "status, started_at, ended_at, counters FROM sessions WHERE run = ?1 "
                   "ORDER BY id");
  select.bind(1, run);
  std::vector<Session> sessions;
  while (select.step()) {
    Session& session = sessions.emplace_back();
    session.id = select.integer(0);
    session.environment.program_version = select.text(1);
    session.environment.libtorch_version = select.text(2);
    session.environment.device = select.text(3);
    session.environment.threads = static_cast<int>(select.integer(4));
    session.environment.sandbox_tier = select.text(5);
    session.status = select.text(6);
    session.started_at = select.text(7);
    session.ended_at = select.text(8);
    session.counters = select.text(9);
  }
  return sessions;
}

std::vector<Document> Store::documents(RunId run, bool with_text) const {
  Statement select(*database_, fmt::format("SELECT d.doc_id, d.subject, d.prompt_tokens, "
                                           "d.cut_tokens{} FROM documents d {} "
                                           "WHERE d.run = ?1 ORDER BY d.doc_id",
                                           with_text ? ", d.target, p.text" : "",
                                           with_text ? "JOIN prompts p ON p.id = d.prompt" : ""));
  select.bind(1, run);
  std::vector<Document> documents;
  while (select.step()) {
    Document& document = documents.emplace_back();
    document.doc_id = select.integer(0);
    document.subject = select.text(1);
    document.prompt_tokens = static_cast<int>(select.integer(2));
    document.cut_tokens = static_cast<int>(select.integer(3));
    if (with_text) {
      document.target = select.text(4);
      document.prompt = select.text(5);
    }
  }
  return documents;
}

std::vector<DocumentScore> Store::scores(RunId run) const {
  Statement select(*database_,
                   "SELECT doc_id, temperature, metric, value FROM document_scores "
                   "WHERE run = ?1 ORDER BY doc_id, temperature, metric");
  select.bind(1, run);
  std::vector<DocumentScore> scores;
  while (select.step()) {
    scores.push_back({select.integer(0), select.real(1), select.text(2), select.real(3)});
  }
  return scores;
}

std::vector<SampleOutcome> Store::outcomes(RunId run) const {
  Statement select(*database_,
                   "SELECT doc_id, temperature, sample, trace_length, reasoning_length, verdict, "
                   "score FROM generations WHERE run = ?1 ORDER BY doc_id, temperature, sample");
  select.bind(1, run);
  std::vector<SampleOutcome> outcomes;
  while (select.step()) {
    outcomes.push_back({select.integer(0), select.real(1), static_cast<int>(select.integer(2)),
                        static_cast<int>(select.integer(3)), static_cast<int>(select.integer(4)),
                        verdict_of(select.text(5)), select.real(6)});
  }
  return outcomes;
}

std::vector<Choice> Store::choices(RunId run) const {
  Statement select(*database_,
                   "SELECT doc_id, choice, continuation, log_likelihood, tokens, is_greedy "
                   "FROM choices WHERE run = ?1 ORDER BY doc_id, choice");
  select.bind(1, run);
  std::vector<Choice> choices;
  while (select.step()) {
    choices.push_back({select.integer(0), static_cast<int>(select.integer(1)), select.text(2),
                       select.real(3), static_cast<int>(select.integer(4)),
                       select.integer(5) != 0});
  }
  return choices;
}

void Store::for_each_generation(RunId run,
                                const std::function<void(const Generation&)>& each) const {
  Statement select(*database_,
                   "SELECT doc_id, temperature, sample, text, tokens, trace_length, "
                   "reasoning_length, stop_reason, random_key, verdict, rule, extracted, score, "
                   "log_likelihood, seconds FROM generations WHERE run = ?1 "
                   "ORDER BY doc_id, temperature, sample");
  select.bind(1, run);
  while (select.step()) {
    Generation generation;
    generation.doc_id = select.integer(0);
    generation.temperature = select.real(1);
    generation.sample = static_cast<int>(select.integer(2));
    generation.text = select.text(3);
    generation.tokens = unpack_tokens(select.blob(4));
    generation.trace_length = static_cast<int>(select.integer(5));
    generation.reasoning_length = static_cast<int>(select.integer(6));
    generation.stop_reason = select.text(7);
    generation.random_key = static_cast<std::uint64_t>(select.integer(8));
    generation.verdict = verdict_of(select.text(9));
    generation.rule = select.text(10);
    generation.extracted = select.text(11);
    generation.score = select.real(12);
    generation.log_likelihood = select.real(13);
    generation.seconds = select.real(14);
    each(generation);
  }
}

}  // namespace fbt::results
