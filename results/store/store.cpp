#include "results/store/store.h"

#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "base/sha256.h"
#include "results/store/database.h"
#include "results/store/open.h"
#include "results/store/packed_tokens.h"

namespace fbt::results {
namespace {

constexpr const char* kNow = "strftime('%Y-%m-%dT%H:%M:%SZ', 'now')";

void bind_optional(Statement& statement, int index, const std::optional<double>& value) {
  if (value) {
    statement.bind(index, *value);
  } else {
    statement.bind_null(index);
  }
}

const char* status_name(SessionStatus status) {
  switch (status) {
    case SessionStatus::kRunning:
      return "running";
    case SessionStatus::kInterrupted:
      return "interrupted";
    case SessionStatus::kFinished:
      return "finished";
    case SessionStatus::kFailed:
      return "failed";
  }
  return "running";
}

// The id of a row found or made by `insert_sql` (… RETURNING id).
std::int64_t returned_id(Statement& statement) {
  statement.step();
  const std::int64_t id = statement.integer(0);
  statement.run();
  return id;
}

void append_documents(Database& database, RunId run, const std::vector<Document>& documents) {
  if (documents.empty()) return;
  // The update changes nothing but makes RETURNING answer for rows already there.
  Statement prompt(database,
                   "INSERT INTO prompts (hash, text) VALUES (?1, ?2) "
                   "ON CONFLICT (hash) DO UPDATE SET hash = hash RETURNING id");
  Statement insert(database,
                   "INSERT OR IGNORE INTO documents (run, doc_id, subject, prompt, target, "
                   "prompt_tokens, cut_tokens) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)");
  for (const Document& document : documents) {
    const std::string hash = sha256_hex(document.prompt);
    prompt.bind(1, hash).bind(2, document.prompt);
    const std::int64_t prompt_id = returned_id(prompt);
    insert.bind(1, run).bind(2, document.doc_id).bind(3, document.subject).bind(4, prompt_id);
    insert.bind(5, document.target);
    insert.bind(6, document.prompt_tokens).bind(7, document.cut_tokens);
    insert.run();
  }
}

void append_generations(Database& database, RunId run, const std::vector<Generation>& generations) {
  if (generations.empty()) return;
  Statement insert(
      database,
      "INSERT OR IGNORE INTO generations (run, doc_id, temperature, sample, text, "
      "tokens, trace_length, reasoning_length, stop_reason, random_key, verdict, rule, "
      "extracted, score, log_likelihood, seconds) VALUES "
      "(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)");
  for (const Generation& generation : generations) {
    const std::vector<std::byte> tokens = pack_tokens(generation.tokens);
    insert.bind(1, run).bind(2, generation.doc_id).bind(3, generation.temperature);
    insert.bind(4, generation.sample).bind(5, generation.text).bind_blob(6, tokens);
    insert.bind(7, generation.trace_length).bind(8, generation.reasoning_length);
    insert.bind(9, generation.stop_reason);
    insert.bind(10, static_cast<std::int64_t>(generation.random_key));
    insert.bind(11, verdict_name(generation.verdict)).bind(12, generation.rule);
    insert.bind(13, generation.extracted).bind(14, generation.score);
    insert.bind(15, generation.log_likelihood).bind(16, generation.seconds);
    insert.run();
  }
}

void append_choices(Database& database, RunId run, const std::vector<Choice>& choices) {
  if (choices.empty()) return;
  Statement insert(database,
                   "INSERT OR IGNORE INTO choices (run, doc_id, choice, continuation, "
                   "log_likelihood, tokens, is_greedy) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)");
  for (const Choice& choice : choices) {
    insert.bind(1, run).bind(2, choice.doc_id).bind(3, choice.choice).bind(4, choice.continuation);
    insert.bind(5, choice.log_likelihood).bind(6, choice.tokens).bind(7, choice.is_greedy ? 1 : 0);
    insert.run();
  }
}

void append_scores(Database& database, RunId run, std::span<const DocumentScore> scores,
                   const char* on_conflict) {
  if (scores.empty()) return;
  Statement insert(database,
                   fmt::format("INSERT OR {} INTO document_scores (run, doc_id, temperature, "
                               "metric, value) VALUES (?1, ?2, ?3, ?4, ?5)",
                               on_conflict));
  for (const DocumentScore& score : scores) {
    insert.bind(1, run).bind(2, score.doc_id).bind(3, score.temperature);
    insert.bind(4, score.metric).bind(5, score.value);
    insert.run();
  }
}

}  // namespace

std::string_view verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kRight:
      return "right";
    case Verdict::kWrong:
      return "wrong";
    case Verdict::kUndecided:
      return "undecided";
  }
  return "undecided";
}

Store::Store(const std::filesystem::path& path, OpenMode mode)
    : path_(path),
      database_(mode == OpenMode::kWrite ? open_for_writing(path) : open_for_reading(path)) {}

Store::~Store() = default;
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;

CheckpointId Store::get_or_create_checkpoint(const Checkpoint& checkpoint) {
  Statement insert(*database_,
                   "INSERT INTO checkpoints (content_hash, name, train_tokens, average_passes, "
                   "family, stage, path) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) "
                   "ON CONFLICT (content_hash) DO UPDATE SET name = ?2, train_tokens = ?3, "
                   "average_passes = ?4, family = ?5, stage = ?6, path = ?7 RETURNING id");
  insert.bind(1, checkpoint.content_hash).bind(2, checkpoint.name);
  bind_optional(insert, 3, checkpoint.train_tokens);
  bind_optional(insert, 4, checkpoint.average_passes);
  insert.bind(5, checkpoint.family).bind(6, checkpoint.stage).bind(7, checkpoint.path);
  return returned_id(insert);
}

PlanId Store::get_or_create_plan(const Plan& plan) {
  const std::string settings = plan_to_json(plan);
  const std::string hash = sha256_hex(settings);
  const std::string label = mode_label(plan);
  Statement insert(*database_,
                   "INSERT INTO plans (hash, task, mode, mode_label, primary_metric, settings) "
                   "VALUES (?1, ?2, ?3, ?4, ?5, ?6) "
                   "ON CONFLICT (hash) DO UPDATE SET hash = hash RETURNING id");
  insert.bind(1, hash).bind(2, plan.task).bind(3, plan.mode).bind(4, label);
  insert.bind(5, plan.primary_metric).bind(6, settings);
  return returned_id(insert);
}

RunId Store::get_or_create_run(CheckpointId checkpoint, PlanId plan, int documents_planned,
                               bool fresh) {
  Transaction transaction(*database_);
  Statement insert(*database_,
                   fmt::format("INSERT INTO runs (checkpoint, plan, documents_planned, started_at) "
                               "VALUES (?1, ?2, ?3, {}) ON CONFLICT (checkpoint, plan) "
                               "DO UPDATE SET documents_planned = ?3 RETURNING id",
                               kNow));
  insert.bind(1, checkpoint).bind(2, plan).bind(3, documents_planned);
  const RunId run = returned_id(insert);
  if (fresh) {
    for (const char* table :
         {"generations", "choices", "document_scores", "documents", "sessions"}) {
      database_->execute(fmt::format("DELETE FROM {} WHERE run = {}", table, run));
    }
  }
  transaction.commit();
  return run;
}

SessionId Store::begin_session(RunId run, const Environment& environment) {
  Statement insert(*database_,
                   fmt::format("INSERT INTO sessions (run, program_version, libtorch_version, "
                               "device, threads, sandbox_tier, status, started_at, counters, key) "
                               "VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'running', {}, '{{}}', "
                               "lower(hex(randomblob(16)))) "
                               "RETURNING id",
                               kNow));
  insert.bind(1, run).bind(2, environment.program_version).bind(3, environment.libtorch_version);
  insert.bind(4, environment.device).bind(5, environment.threads).bind(6, environment.sandbox_tier);
  return returned_id(insert);
}

void Store::end_session(SessionId session, SessionStatus status, const std::string& counters_json) {
  Statement update(*database_, fmt::format("UPDATE sessions SET status = ?2, counters = ?3, "
                                           "ended_at = {} WHERE id = ?1",
                                           kNow));
  const std::string name = status_name(status);
  update.bind(1, session).bind(2, name).bind(3, counters_json);
  update.run();
}

void Store::append(RunId run, const Batch& batch) {
  Transaction transaction(*database_);
  append_documents(*database_, run, batch.documents);
  append_generations(*database_, run, batch.generations);
  append_choices(*database_, run, batch.choices);
  append_scores(*database_, run, batch.scores, "IGNORE");
  transaction.commit();
}

void Store::replace_verdicts(RunId run, std::span<const VerdictUpdate> verdicts,
                             std::span<const DocumentScore> scores) {
  Transaction transaction(*database_);
  Statement update(*database_,
                   "UPDATE generations SET reasoning_length = ?5, verdict = ?6, rule = ?7, "
                   "extracted = ?8, score = ?9 "
                   "WHERE run = ?1 AND doc_id = ?2 AND temperature = ?3 AND sample = ?4");
  for (const VerdictUpdate& verdict : verdicts) {
    update.bind(1, run).bind(2, verdict.doc_id).bind(3, verdict.temperature);
    update.bind(4, verdict.sample).bind(5, verdict.reasoning_length);
    update.bind(6, verdict_name(verdict.verdict)).bind(7, verdict.rule);
    update.bind(8, verdict.extracted).bind(9, verdict.score);
    update.run();
    if (database_->changes() == 0) {
      throw InputError(fmt::format("{}: run {} has no sample {} of document {} at temperature {}",
                                   path_.string(), run, verdict.sample, verdict.doc_id,
                                   verdict.temperature));
    }
  }
  append_scores(*database_, run, scores, "REPLACE");
  transaction.commit();
}

}  // namespace fbt::results
