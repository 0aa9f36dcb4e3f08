#pragma once

// What the store holds, as plain structs. See store.h for how they hang together.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/store/plan.h"

namespace fbt::results {

using CheckpointId = std::int64_t;
using PlanId = std::int64_t;
using RunId = std::int64_t;
using SessionId = std::int64_t;

struct Checkpoint {
  std::string content_hash;  // of weights, config and tokenizer: names the checkpoint
  std::string name;
  std::optional<double> train_tokens;    // tokens, as 200e9
  std::optional<double> average_passes;  // over training
  std::string family;                    // "standard" or "full-bandwidth"; empty: not said
  std::string stage;                     // "base" or "instruct"; empty: not said
  std::string path;                      // where it lay; for people only
};

// What worked on a run. Several processes may, one after the other or at once.
struct Environment {
  std::string program_version;
  std::string libtorch_version;
  std::string device;
  int threads = 0;
  std::string sandbox_tier;  // empty: no code was run
};

enum class SessionStatus { kRunning, kInterrupted, kFinished, kFailed };

struct Document {
  std::int64_t doc_id = 0;  // index among the task's evaluated documents
  std::string subject;      // empty: the task has none
  std::string prompt;       // stored once per distinct text
  std::string target;       // the reference answer, for people
  int prompt_tokens = 0;
  int cut_tokens = 0;  // oldest tokens of the prompt that did not fit the context
};

enum class Verdict { kRight, kWrong, kUndecided };

// "right", "wrong", "undecided" (the scorer could not tell: sandbox fault, step limit).
std::string_view verdict_name(Verdict verdict);

struct Generation {
  std::int64_t doc_id = 0;
  double temperature = 0;  // 0: greedy
  int sample = 0;          // 0 … samples-1
  std::string text;
  std::vector<int> tokens;
  int trace_length = 0;      // generated tokens up to the stop
  int reasoning_length = 0;  // those before the answer span
  std::string stop_reason;   // "stop_string", "stop_token", "length", "context"
  std::uint64_t random_key = 0;
  Verdict verdict = Verdict::kUndecided;
  std::string rule;       // which rule of the scorer decided
  std::string extracted;  // the answer it saw
  double score = 0;       // 1 right, 0 wrong, between for partial credit
  double log_likelihood = 0;
  double seconds = 0;
};

struct Choice {
  std::int64_t doc_id = 0;
  int choice = 0;
  std::string continuation;
  double log_likelihood = 0;
  int tokens = 0;  // of the continuation
  bool is_greedy = false;
};

// A document's value of one metric. What tables, compare, gate and report read.
struct DocumentScore {
  std::int64_t doc_id = 0;
  double temperature = 0;  // 0 for greedy and log-likelihood tasks
  std::string metric;
  double value = 0;
};

// Appended together or not at all.
struct Batch {
  std::vector<Document> documents;
  std::vector<Generation> generations;
  std::vector<Choice> choices;
  std::vector<DocumentScore> scores;
};

// A run as read back.
struct RunRecord {
  RunId id = 0;
  Checkpoint checkpoint;
  Plan plan;
  int documents_planned = 0;
  // Documents that have the primary metric at every temperature of the plan.
  int documents_done = 0;
  std::string started_at;   // UTC, "2026-01-31T12:00:00Z"
  std::string finished_at;  // of the last session that finished; empty: none did
  bool complete() const { return documents_done >= documents_planned; }
};

struct Session {
  SessionId id = 0;
  Environment environment;
  std::string status;
  std::string started_at;
  std::string ended_at;  // empty: running, or killed
  std::string counters;  // JSON object
};

// A generation without its text and tokens: what statistics need.
struct SampleOutcome {
  std::int64_t doc_id = 0;
  double temperature = 0;
  int sample = 0;
  int trace_length = 0;
  int reasoning_length = 0;
  Verdict verdict = Verdict::kUndecided;
  double score = 0;
};

// A new judgement of a stored sample.
struct VerdictUpdate {
  std::int64_t doc_id = 0;
  double temperature = 0;
  int sample = 0;
  int reasoning_length = 0;
  Verdict verdict = Verdict::kUndecided;
  std::string rule;
  std::string extracted;
  double score = 0;
};

}  // namespace fbt::results
