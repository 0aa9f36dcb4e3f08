#include "results/store/schema.h"

#include <array>
#include <string>

#include <fmt/format.h>

#include "base/error.h"
#include "results/store/database.h"
#include "results/store/file_check.h"

namespace fbt::results {
namespace {

constexpr const char* kTables = R"sql(
CREATE TABLE checkpoints (
  id INTEGER PRIMARY KEY,
  content_hash TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  train_tokens REAL,
  average_passes REAL,
  family TEXT NOT NULL,
  stage TEXT NOT NULL,
  path TEXT NOT NULL
);
CREATE TABLE plans (
  id INTEGER PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,
  task TEXT NOT NULL,
  mode TEXT NOT NULL,
  mode_label TEXT NOT NULL,
  primary_metric TEXT NOT NULL,
  settings TEXT NOT NULL
);
CREATE TABLE runs (
  id INTEGER PRIMARY KEY,
  checkpoint INTEGER NOT NULL REFERENCES checkpoints(id),
  plan INTEGER NOT NULL REFERENCES plans(id),
  documents_planned INTEGER NOT NULL,
  started_at TEXT NOT NULL,
  UNIQUE (checkpoint, plan)
);
CREATE TABLE sessions (
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES runs(id),
  program_version TEXT NOT NULL,
  libtorch_version TEXT NOT NULL,
  device TEXT NOT NULL,
  threads INTEGER NOT NULL,
  sandbox_tier TEXT NOT NULL,
  status TEXT NOT NULL,
  started_at TEXT NOT NULL,
  ended_at TEXT,
  counters TEXT NOT NULL
);
CREATE INDEX sessions_by_run ON sessions (run);
CREATE TABLE prompts (
  id INTEGER PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,
  text TEXT NOT NULL
);
CREATE TABLE documents (
  run INTEGER NOT NULL REFERENCES runs(id),
  doc_id INTEGER NOT NULL,
  subject TEXT NOT NULL,
  prompt INTEGER NOT NULL REFERENCES prompts(id),
  target TEXT NOT NULL,
  prompt_tokens INTEGER NOT NULL,
  cut_tokens INTEGER NOT NULL,
  PRIMARY KEY (run, doc_id)
);
CREATE TABLE generations (
  run INTEGER NOT NULL REFERENCES runs(id),
  doc_id INTEGER NOT NULL,
  temperature REAL NOT NULL,
  sample INTEGER NOT NULL,
  text TEXT NOT NULL,
  tokens BLOB NOT NULL,
  trace_length INTEGER NOT NULL,
  reasoning_length INTEGER NOT NULL,
  stop_reason TEXT NOT NULL,
  random_key INTEGER NOT NULL,
  verdict TEXT NOT NULL CHECK (verdict IN ('right', 'wrong', 'undecided')),
  rule TEXT NOT NULL,
  extracted TEXT NOT NULL,
  score REAL NOT NULL,
  log_likelihood REAL NOT NULL,
  seconds REAL NOT NULL,
  PRIMARY KEY (run, doc_id, temperature, sample)
);
CREATE TABLE choices (
  run INTEGER NOT NULL REFERENCES runs(id),
  doc_id INTEGER NOT NULL,
  choice INTEGER NOT NULL,
  continuation TEXT NOT NULL,
  log_likelihood REAL NOT NULL,
  tokens INTEGER NOT NULL,
  is_greedy INTEGER NOT NULL,
  PRIMARY KEY (run, doc_id, choice)
) WITHOUT ROWID;
CREATE TABLE document_scores (
  run INTEGER NOT NULL REFERENCES runs(id),
  doc_id INTEGER NOT NULL,
  temperature REAL NOT NULL,
  metric TEXT NOT NULL,
  value REAL NOT NULL,
  PRIMARY KEY (run, metric, temperature, doc_id)
) WITHOUT ROWID;
)sql";

// For people with sqlite3; docs/results.md shows what to ask of them.
constexpr const char* kViews = R"sql(
CREATE VIEW run_list AS
SELECT r.id AS run, c.name AS checkpoint, c.train_tokens, c.average_passes,
       c.train_tokens * c.average_passes AS effective_compute, c.family, c.stage,
       p.task, p.mode_label AS mode, p.primary_metric,
       json_extract(p.settings, '$.shots') AS shots,
       r.documents_planned,
       (SELECT COUNT(*) FROM (
          SELECT 1 FROM document_scores s
          WHERE s.run = r.id AND s.metric = p.primary_metric
          GROUP BY s.doc_id
          HAVING COUNT(*) >= MAX(1, json_array_length(p.settings, '$.temperatures'))
        )) AS documents_done,
       r.started_at, p.hash AS plan_hash
FROM runs r JOIN checkpoints c ON c.id = r.checkpoint JOIN plans p ON p.id = r.plan;

CREATE VIEW scores AS
SELECT l.run, l.checkpoint, l.task, l.mode, l.shots, s.metric,
       s.metric = l.primary_metric AS is_primary, s.temperature,
       COUNT(*) AS documents, AVG(s.value) AS score
FROM document_scores s JOIN run_list l ON l.run = s.run
GROUP BY s.run, s.metric, s.temperature;

CREATE VIEW subject_scores AS
SELECT l.run, l.checkpoint, l.task, l.mode, l.shots, d.subject, s.metric, s.temperature,
       COUNT(*) AS documents, AVG(s.value) AS score
FROM document_scores s JOIN run_list l ON l.run = s.run
JOIN documents d ON d.run = s.run AND d.doc_id = s.doc_id
WHERE d.subject <> ''
GROUP BY s.run, d.subject, s.metric, s.temperature;

CREATE VIEW samples AS
SELECT l.run, l.checkpoint, l.task, l.mode, l.shots, g.doc_id, d.subject, g.temperature, g.sample,
       g.verdict, g.rule, g.extracted, g.score, g.trace_length, g.reasoning_length,
       g.stop_reason, g.log_likelihood, g.seconds, g.text, d.target, q.text AS prompt
FROM generations g JOIN run_list l ON l.run = g.run
JOIN documents d ON d.run = g.run AND d.doc_id = g.doc_id
JOIN prompts q ON q.id = d.prompt;

CREATE VIEW median_lengths AS
SELECT run, checkpoint, task, mode, shots, temperature, n AS samples,
       AVG(trace_length) AS median_trace_length
FROM (SELECT l.run, l.checkpoint, l.task, l.mode, l.shots, g.temperature, g.trace_length,
             ROW_NUMBER() OVER (PARTITION BY g.run, g.temperature ORDER BY g.trace_length) AS rank,
             COUNT(*) OVER (PARTITION BY g.run, g.temperature) AS n
      FROM generations g JOIN run_list l ON l.run = g.run)
WHERE rank IN ((n + 1) / 2, (n + 2) / 2)
GROUP BY run, temperature;
)sql";

constexpr const char* kExperiments = R"sql(
CREATE TABLE experiments (
  id INTEGER PRIMARY KEY,
  checkpoint INTEGER NOT NULL REFERENCES checkpoints(id),
  kind TEXT NOT NULL,
  settings TEXT NOT NULL,
  items_planned INTEGER NOT NULL,
  started_at TEXT NOT NULL,
  UNIQUE (checkpoint, kind, settings)
);
CREATE TABLE experiment_items (
  experiment INTEGER NOT NULL REFERENCES experiments(id),
  item TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (experiment, item)
) WITHOUT ROWID;
)sql";

// A session is told from another by its key, in whatever file it lies.
constexpr const char* kSessionKeys = R"sql(
ALTER TABLE sessions ADD COLUMN key TEXT NOT NULL DEFAULT '';
UPDATE sessions SET key = lower(hex(randomblob(16)));
CREATE UNIQUE INDEX sessions_by_key ON sessions (key);
)sql";

// What changed between two checkpoints, or between two modes of one.
constexpr const char* kChangeViews = R"sql(
CREATE VIEW comparable_runs AS
SELECT a.id AS from_run, b.id AS to_run, pa.task, json_extract(pa.settings, '$.shots') AS shots,
       ca.name AS from_checkpoint, cb.name AS to_checkpoint,
       pa.mode_label AS from_mode, pb.mode_label AS to_mode, pa.primary_metric
FROM runs a JOIN plans pa ON pa.id = a.plan JOIN checkpoints ca ON ca.id = a.checkpoint
JOIN plans pb ON pb.task = pa.task AND pb.primary_metric = pa.primary_metric
  AND json_extract(pb.settings, '$.prompts_hash') = json_extract(pa.settings, '$.prompts_hash')
  AND json_extract(pb.settings, '$.data_hash') = json_extract(pa.settings, '$.data_hash')
JOIN runs b ON b.plan = pb.id JOIN checkpoints cb ON cb.id = b.checkpoint
WHERE (a.checkpoint = b.checkpoint) <> (pa.mode_label = pb.mode_label);

CREATE VIEW flipped_samples AS
SELECT r.from_checkpoint, r.to_checkpoint, r.task, r.shots, r.from_mode, r.to_mode,
       a.doc_id, a.temperature, a.sample, a.verdict AS from_verdict, b.verdict AS to_verdict,
       a.trace_length AS from_trace_length, b.trace_length AS to_trace_length,
       a.text AS from_text, b.text AS to_text, a.run AS from_run, b.run AS to_run
FROM comparable_runs r JOIN generations a ON a.run = r.from_run
JOIN generations b ON b.run = r.to_run AND b.doc_id = a.doc_id
  AND b.temperature = a.temperature AND b.sample = a.sample
WHERE a.verdict <> b.verdict;

CREATE VIEW changed_scores AS
SELECT r.from_checkpoint, r.to_checkpoint, r.task, r.shots, r.from_mode, r.to_mode,
       a.doc_id, a.temperature, a.metric, a.value AS from_value, b.value AS to_value,
       a.run AS from_run, b.run AS to_run
FROM comparable_runs r
JOIN document_scores a ON a.run = r.from_run AND a.metric = r.primary_metric
JOIN document_scores b ON b.run = r.to_run AND b.metric = a.metric
  AND b.temperature = a.temperature AND b.doc_id = a.doc_id
WHERE a.value <> b.value;
)sql";

constexpr const char* kTrainings = R"sql(
CREATE TABLE trainings (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  recipe TEXT NOT NULL UNIQUE,
  started_at TEXT NOT NULL
);
CREATE TABLE training_steps (
  training INTEGER NOT NULL REFERENCES trainings(id),
  step INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  passes INTEGER NOT NULL,
  loss REAL NOT NULL,
  last_pass_loss REAL NOT NULL,
  gradient_norm REAL NOT NULL,
  state_norm REAL NOT NULL,
  learning_rate_factor REAL NOT NULL,
  tokens_per_second REAL NOT NULL,
  PRIMARY KEY (training, step)
) WITHOUT ROWID;
)sql";

constexpr std::array<const char*, 6> kSteps = {kTables,      kViews,       kExperiments,
                                               kSessionKeys, kChangeViews, kTrainings};

}  // namespace

int schema_version() {
  return static_cast<int>(kSteps.size());
}

void refuse_newer_schema(int version, const char* path) {
  if (version <= schema_version()) return;
  throw InputError(
      fmt::format("{} has schema version {}, this program knows up to {}; use a newer fbt-eval",
                  path, version, schema_version()));
}

void migrate(Database& database, const char* path) {
  migrate_to(database, path, schema_version());
}

void migrate_to(Database& database, const char* path, int version) {
  const auto current = [&] { return static_cast<int>(database.query_int("PRAGMA user_version")); };
  const int found = current();
  refuse_newer_schema(found, path);
  if (found >= version) return;
  Transaction transaction(database);
  // Another process may have been first.
  for (int step = current(); step < version; ++step) {
    if (step == 0) database.execute(fmt::format("PRAGMA application_id = {}", kApplicationId));
    database.execute(kSteps[static_cast<std::size_t>(step)]);
    database.execute(fmt::format("PRAGMA user_version = {}", step + 1));
  }
  transaction.commit();
}

}  // namespace fbt::results
