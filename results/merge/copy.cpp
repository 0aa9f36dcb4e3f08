#include "results/merge/copy.h"

#include <fmt/format.h>

#include "base/error.h"

namespace fbt::results {
namespace {

// Rows of one table that hang on a run. `select` gives a source run's (?1) rows,
// the document first; `insert` takes the target run as ?1 and a row's columns
// from ?2 on; `same` counts the target's equal rows, with the same parameters.
struct RowCopy {
  const char* what;
  const char* select;
  const char* insert;
  const char* same;
};

constexpr RowCopy kDocuments = {
    "prompt or reference answer",
    "SELECT d.doc_id, p.hash, d.subject, d.target, d.prompt_tokens, d.cut_tokens "
    "FROM documents d JOIN prompts p ON p.id = d.prompt WHERE d.run = ?1",
    "INSERT OR IGNORE INTO documents (run, doc_id, prompt, subject, target, prompt_tokens, "
    "cut_tokens) VALUES (?1, ?2, (SELECT id FROM prompts WHERE hash = ?3), ?4, ?5, ?6, ?7)",
    "SELECT COUNT(*) FROM documents d JOIN prompts p ON p.id = d.prompt WHERE d.run = ?1 AND "
    "d.doc_id = ?2 AND p.hash = ?3 AND d.target = ?5"};

constexpr RowCopy kGenerations = {
    "completion or verdict",
    "SELECT doc_id, temperature, sample, text, tokens, verdict, score, trace_length, "
    "reasoning_length, stop_reason, random_key, rule, extracted, log_likelihood, seconds "
    "FROM generations WHERE run = ?1",
    "INSERT OR IGNORE INTO generations (run, doc_id, temperature, sample, text, tokens, verdict, "
    "score, trace_length, reasoning_length, stop_reason, random_key, rule, extracted, "
    "log_likelihood, seconds) "
    "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)",
    "SELECT COUNT(*) FROM generations WHERE run = ?1 AND doc_id = ?2 AND temperature = ?3 AND "
    "sample = ?4 AND text = ?5 AND tokens = ?6 AND verdict = ?7 AND score = ?8"};

constexpr RowCopy kChoices = {
    "log-likelihood of a choice",
    "SELECT doc_id, choice, continuation, log_likelihood, tokens, is_greedy FROM choices "
    "WHERE run = ?1",
    "INSERT OR IGNORE INTO choices (run, doc_id, choice, continuation, log_likelihood, tokens, "
    "is_greedy) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    "SELECT COUNT(*) FROM choices WHERE run = ?1 AND doc_id = ?2 AND choice = ?3 AND "
    "continuation = ?4 AND log_likelihood = ?5"};

constexpr RowCopy kScores = {
    "score", "SELECT doc_id, temperature, metric, value FROM document_scores WHERE run = ?1",
    "INSERT OR IGNORE INTO document_scores (run, doc_id, temperature, metric, value) "
    "VALUES (?1, ?2, ?3, ?4, ?5)",
    "SELECT COUNT(*) FROM document_scores WHERE run = ?1 AND doc_id = ?2 AND temperature = ?3 "
    "AND metric = ?4 AND value = ?5"};

constexpr const char* kSelectSessions =
    "SELECT program_version, libtorch_version, device, threads, sandbox_tier, status, started_at, "
    "ended_at, counters, key FROM sessions WHERE run = ?1 ORDER BY id";
constexpr const char* kInsertSession =
    "INSERT INTO sessions (run, program_version, libtorch_version, device, threads, sandbox_tier, "
    "status, started_at, ended_at, counters, key) "
    "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) "
    // A session that was still running when an earlier merge copied it.
    "ON CONFLICT (key) DO UPDATE SET status = ?7, ended_at = ?9, counters = ?10 "
    "WHERE status = 'running'";

class FileCopy {
 public:
  FileCopy(const FileRuns& source, const Database& from, Database& to, MergeCounts& counts)
      : source_(source), from_(from), to_(to), counts_(counts) {}

  void copy() {
    copy_rows("SELECT hash, text FROM prompts",
              "INSERT OR IGNORE INTO prompts (hash, text) VALUES (?1, ?2)");
    copy_rows(
        "SELECT content_hash, name, train_tokens, average_passes, family, stage, path "
        "FROM checkpoints ORDER BY id",
        "INSERT OR IGNORE INTO checkpoints (content_hash, name, train_tokens, average_passes, "
        "family, stage, path) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)");
    copy_rows(
        "SELECT hash, task, mode, mode_label, primary_metric, settings FROM plans ORDER BY id",
        "INSERT OR IGNORE INTO plans (hash, task, mode, mode_label, primary_metric, settings) "
        "VALUES (?1, ?2, ?3, ?4, ?5, ?6)");
    for (const FileRun& run : source_.runs) copy_run(run.run);
    copy_experiments();
    copy_trainings();
  }

 private:
  // Gives the rows that were new.
  std::int64_t copy_rows(const char* select, const char* insert) {
    std::int64_t added = 0;
    Statement source(from_, select);
    Statement target(to_, insert);
    while (source.step()) {
      target.bind_row(1, source);
      target.run();
      added += to_.changes();
    }
    return added;
  }

  void copy_run(const RunRecord& run) {
    const RunId target = target_run(run);
    counts_.documents += copy_rows_of(kDocuments, run, target);
    counts_.generations += copy_rows_of(kGenerations, run, target);
    counts_.choices += copy_rows_of(kChoices, run, target);
    copy_rows_of(kScores, run, target);
    Statement source(from_, kSelectSessions);
    source.bind(1, run.id);
    Statement insert(to_, kInsertSession);
    while (source.step()) insert.bind(1, target).bind_row(2, source).run();
  }

  RunId target_run(const RunRecord& run) {
    const std::string hash = plan_hash(run.plan);
    Statement insert(to_,
                     "INSERT OR IGNORE INTO runs (checkpoint, plan, documents_planned, started_at) "
                     "SELECT c.id, p.id, ?3, ?4 FROM checkpoints c, plans p "
                     "WHERE c.content_hash = ?1 AND p.hash = ?2");
    insert.bind(1, run.checkpoint.content_hash).bind(2, hash);
    insert.bind(3, run.documents_planned).bind(4, run.started_at).run();
    counts_.runs += to_.changes();
    Statement select(to_,
                     "SELECT r.id FROM runs r JOIN checkpoints c ON c.id = r.checkpoint "
                     "JOIN plans p ON p.id = r.plan WHERE c.content_hash = ?1 AND p.hash = ?2");
    select.bind(1, run.checkpoint.content_hash).bind(2, hash).step();
    const RunId id = select.integer(0);
    // Of all parts, the first start.
    Statement update(to_, "UPDATE runs SET started_at = MIN(started_at, ?2) WHERE id = ?1");
    update.bind(1, id).bind(2, run.started_at).run();
    return id;
  }

  std::int64_t copy_rows_of(const RowCopy& rows, const RunRecord& run, RunId target) {
    std::int64_t added = 0;
    Statement source(from_, rows.select);
    source.bind(1, run.id);
    Statement insert(to_, rows.insert);
    Statement same(to_, rows.same);
    while (source.step()) {
      insert.bind(1, target).bind_row(2, source).run();
      added += to_.changes();
      if (to_.changes() > 0) continue;
      same.bind(1, target).bind_row(2, source).step();
      if (same.integer(0) == 0) refuse(rows, run, source.integer(0));
      same.run();
    }
    return added;
  }

  [[noreturn]] void refuse(const RowCopy& rows, const RunRecord& run, std::int64_t document) const {
    throw InputError(fmt::format(
        "{}: document {} of {} is in an earlier file too, with another {}; leave one of the two "
        "files out",
        source_.path.string(), document, run_text(run), rows.what));
  }

  void copy_experiments() {
    counts_.experiments += copy_rows(
        "SELECT c.content_hash, e.kind, e.settings, e.items_planned, e.started_at "
        "FROM experiments e JOIN checkpoints c ON c.id = e.checkpoint ORDER BY e.id",
        "INSERT OR IGNORE INTO experiments (checkpoint, kind, settings, items_planned, started_at) "
        "SELECT id, ?2, ?3, ?4, ?5 FROM checkpoints WHERE content_hash = ?1");
    copy_rows(
        "SELECT c.content_hash, e.kind, e.settings, i.item, i.value FROM experiment_items i "
        "JOIN experiments e ON e.id = i.experiment JOIN checkpoints c ON c.id = e.checkpoint",
        "INSERT OR IGNORE INTO experiment_items (experiment, item, value) "
        "SELECT e.id, ?4, ?5 FROM experiments e JOIN checkpoints c ON c.id = e.checkpoint "
        "WHERE c.content_hash = ?1 AND e.kind = ?2 AND e.settings = ?3");
  }

  void copy_trainings() {
    copy_rows("SELECT name, recipe, started_at FROM trainings ORDER BY id",
              "INSERT OR IGNORE INTO trainings (name, recipe, started_at) VALUES (?1, ?2, ?3)");
    copy_rows(
        "SELECT t.recipe, s.step, s.tokens, s.passes, s.loss, s.last_pass_loss, s.gradient_norm, "
        "s.state_norm, s.learning_rate_factor, s.tokens_per_second FROM training_steps s "
        "JOIN trainings t ON t.id = s.training",
        "INSERT OR IGNORE INTO training_steps (training, step, tokens, passes, loss, "
        "last_pass_loss, gradient_norm, state_norm, learning_rate_factor, tokens_per_second) "
        "SELECT id, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10 FROM trainings WHERE recipe = ?1");
  }

  const FileRuns& source_;
  const Database& from_;
  Database& to_;
  MergeCounts& counts_;
};

}  // namespace

void copy_runs(const FileRuns& source, const Database& from, Database& to, MergeCounts& counts) {
  FileCopy(source, from, to, counts).copy();
}

}  // namespace fbt::results
