#pragma once

// The results file: one SQLite database (write-ahead log) in which many
// processes may read and write at once.
//
//   checkpoints ─┐
//                ├─ runs (one per checkpoint and plan) ─┬─ sessions
//   plans ───────┘                                      ├─ documents ── prompts
//                                                       ├─ generations, choices
//                                                       └─ document_scores
//
// Writers hand over finished work in batches. A batch is one transaction and
// on the disk when append() returns. Rows are keyed by (run, document,
// temperature, sample) and a row that is already there stays as it is, so work
// done twice after a crash is not counted twice.
//
// Errors: InputError where the file is not usable as it is (foreign, corrupt,
// truncated, of a newer schema, read-only, plans that do not fit);
// EnvironmentError where the machine failed (disk full, input/output). A file
// that is refused is never written to.
//
// An object belongs to one thread at a time; processes and threads that want to
// write at once open one each. Movable.

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "results/store/records.h"

namespace fbt::results {

class Database;

enum class OpenMode {
  kRead,   // the file must exist
  kWrite,  // makes the file where there is none
};

class Store {
 public:
  // Checks the file before anything is written to it; brings an older schema
  // forward.
  Store(const std::filesystem::path& path, OpenMode mode);
  ~Store();
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;

  const std::filesystem::path& path() const { return path_; }

  // --- Writing ---------------------------------------------------------------

  // Found by content hash; name, path and the rest are brought up to date.
  CheckpointId get_or_create_checkpoint(const Checkpoint& checkpoint);
  // Found by hash.
  PlanId get_or_create_plan(const Plan& plan);
  // Found by (checkpoint, plan). With `fresh`, what an earlier run left is deleted.
  // `documents_planned` counts the whole plan's documents, not this shard's.
  RunId get_or_create_run(CheckpointId checkpoint, PlanId plan, int documents_planned,
                          bool fresh = false);

  // Records that this process works on the run. A session that is never ended
  // was killed.
  SessionId begin_session(RunId run, const Environment& environment);
  // `counters_json`: a JSON object of figures about the work done.
  void end_session(SessionId session, SessionStatus status, const std::string& counters_json);

  // Atomic, durable, idempotent: see above. Documents come before or with their rows.
  void append(RunId run, const Batch& batch);

  // Replaces verdicts of stored samples and the scores that follow from them
  // (those of the same document, temperature and metric), atomically. Samples
  // that are not stored are an InputError and nothing is changed.
  void replace_verdicts(RunId run, std::span<const VerdictUpdate> verdicts,
                        std::span<const DocumentScore> scores);

  // --- Reading ---------------------------------------------------------------

  std::vector<RunRecord> runs() const;  // by train tokens, checkpoint name, task, mode, id
  RunRecord run(RunId id) const;
  std::optional<RunId> find_run(const std::string& checkpoint_hash,
                                const std::string& plan_hash) const;
  std::vector<Session> sessions(RunId run) const;

  // All by document, then temperature, sample or choice.
  std::vector<Document> documents(RunId run, bool with_text = false) const;
  std::vector<DocumentScore> scores(RunId run) const;
  std::vector<SampleOutcome> outcomes(RunId run) const;
  std::vector<Choice> choices(RunId run) const;
  // One at a time, so that a large run need not fit into memory.
  void for_each_generation(RunId run, const std::function<void(const Generation&)>& each) const;

 private:
  std::filesystem::path path_;
  std::unique_ptr<Database> database_;
};

}  // namespace fbt::results
