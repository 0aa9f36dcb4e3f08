#pragma once

// A task as others see it: documents turned into requests, and what is needed
// to score the answers. Tasks know neither models nor scorers: the harness
// sends the requests to a backend, and completions to the scorer named here.
//
//   task (definition + data)  --prompts(options)-->  PromptSet  --document(i)-->  Document
//
// Objects of this header are immutable; any number of threads may use them.

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tasks/chat_format.h"

namespace fbt::tasks {

enum class TaskKind { kMultipleChoice, kGeneration };

// "multiple_choice" or "generation".
std::string_view task_kind_name(TaskKind kind);

// Scored is log p(continuation | context).
struct LogLikelihoodRequest {
  std::string context;
  std::string continuation;
};

struct GenerationRequest {
  std::string context;
  std::vector<std::string> until;  // stop strings; the completion is cut before the earliest
  // Absent: the harness's default (lm-eval's is 256).
  std::optional<int> max_new_tokens;
};

// What a task holds to be right: the index of the right choice, one label
// (1 true, 0 false) per choice, or a text.
using Target = std::variant<int, std::vector<int>, std::string>;

// What a scorer of completions is given besides the completion. Fields that the
// task's scorer does not use are empty.
struct Reference {
  std::string
      gold;  // gsm8k: the solution that ends in "#### N"; math: the answer; pattern: the text
  std::string task_id;                 // code: the benchmark's own id ("HumanEval/0", "11")
  std::string prompt;                  // humaneval: the code that a completion continues
  std::string entry_point;             // humaneval: the function that check() is given
  std::string test;                    // humaneval: defines check()
  std::string test_setup_code;         // mbpp
  std::vector<std::string> test_list;  // mbpp: one assertion each
};

// One document with its requests.
struct Document {
  int id = 0;  // index in the evaluation split, from 0
  Target target;
  // Multiple choice: one request per choice, in order. Generation: empty.
  std::vector<LogLikelihoodRequest> requests;
  // Multiple choice: the choices as lm-eval counts their length (without the delimiter).
  std::vector<std::string> choices;
  // Multiple choice with one right choice: its index.
  std::optional<int> right_choice;
  // Generation tasks only.
  std::optional<GenerationRequest> generation;
  Reference reference;
};

// Which requests are made of a task's documents.
struct PromptOptions {
  // Few-shot examples; absent: the task's default (0 where a chat prompt of its own is used).
  std::optional<int> shots;
  // Absent: lm-eval's plain text. Present: the whole prompt becomes one user turn
  // (of the task's own chat prompt where it has one), and the answer opens the
  // assistant's turn, so continuations lose their delimiter.
  std::optional<ChatFormat> chat;
};

// The requests of all documents under one PromptOptions. Document i's few-shot
// examples depend on the documents before it, as in lm-eval, but never on a
// limit or shard: take any documents in any order. Texts are put together on
// demand, so a PromptSet is small. Keeps its task's data alive.
class PromptSet {
 public:
  virtual ~PromptSet() = default;

  virtual int shots() const = 0;
  virtual int document_count() const = 0;
  // Precondition: 0 <= id < document_count().
  virtual Document document(int id) const = 0;
  // SHA-256 over every request of every document, in order: equal hashes mean
  // that the same questions were asked. Walks all documents (MMLU: under a second).
  virtual std::string hash() const = 0;
};

// How completions are judged. The harness dispatches on `name`.
struct ScorerSpec {
  // "gsm8k", "math", "humaneval", "mbpp" or "pattern"; empty for multiple choice.
  std::string name;
  // "pattern": RE2 syntax; its first group (or the whole match) of the last match
  // is compared with Reference::gold, after trimming both.
  std::string pattern;
  bool ignore_case = false;  // "pattern": of the comparison
};

// How many completions a document gets unless the user says otherwise.
struct SamplingDefaults {
  int samples = 1;
  std::vector<double> temperatures = {0};  // 0: greedy
  std::vector<int> k = {1};                // of Pass@k
};

struct MetricValue {
  std::string name;
  double value = 0;
};

class Task : public std::enable_shared_from_this<Task> {
 public:
  virtual ~Task() = default;

  virtual const std::string& name() const = 0;
  // One line for people.
  virtual const std::string& title() const = 0;
  virtual TaskKind kind() const = 0;
  virtual int default_shots() const = 0;
  virtual int document_count() const = 0;

  // Names of the metrics, the primary one first. Multiple choice: what
  // score_choices() gives. Generation: "exact_match", or "pass@k" for each k.
  virtual const std::vector<std::string>& metrics() const = 0;
  const std::string& primary_metric() const { return metrics().front(); }

  virtual const ScorerSpec& scorer() const = 0;
  virtual const SamplingDefaults& sampling() const = 0;

  // Throws InputError where the few-shot split holds too few examples.
  virtual std::shared_ptr<const PromptSet> prompts(const PromptOptions& options) const = 0;

  // The metrics of one document, as lm-eval defines them (ties go to the first
  // choice). Precondition: multiple choice; one log-likelihood per request.
  virtual std::vector<MetricValue> score_choices(const Document& document,
                                                 std::span<const double> log_likelihoods) const = 0;
};

}  // namespace fbt::tasks
