#pragma once

// From a completion to its score: which scorer a task names, what it is given,
// and how a document's samples become the document's metrics.

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "results/store/plan.h"
#include "results/store/records.h"
#include "sandbox/pool.h"
#include "tasks/task.h"

namespace fbt::run {

// What is known of one sample once it is judged.
struct Judgement {
  results::Verdict verdict = results::Verdict::kUndecided;
  double score = 0;       // 1 right, 0 wrong
  std::string rule;       // which rule of the scorer decided, or the program's verdict
  std::string extracted;  // the answer it saw
  std::optional<std::size_t> answer_offset;  // in the text; absent: no answer, or code
  // Per sample, averaged over a document's samples, as "exact_match_flexible".
  // The score itself is not repeated here.
  std::map<std::string, double> other;
  double sandbox_seconds = 0;  // that its program ran
  // The machine failed, not the program: not to be counted.
  bool fault = false;
};

class Judge {
 public:
  // Called once, on the calling thread or one of the pool's. Must not throw.
  using Done = std::function<void(Judgement&&)>;

  // `pool` runs code and must outlive the judge; null where no task needs it.
  explicit Judge(sandbox::Pool* pool) : pool_(pool) {}

  // Judges `text` as an answer to `document`. Code goes to the pool, and may
  // wait for room there; everything else is judged here and now. Thread-safe.
  void judge(const tasks::ScorerSpec& scorer, const tasks::Document& document, bool chat,
             const std::string& text, Done done) const;

 private:
  sandbox::Pool* pool_;
};

// Whether the scorer runs programs.
bool runs_code(const tasks::ScorerSpec& scorer);

// A document's metrics with their definitions: what score_document() gives, or
// what the task gives for choices.
std::vector<results::Metric> metrics_of(const tasks::Task& task, const std::vector<int>& k,
                                        bool chat);

// The task's own primary metric where it is among `metrics`, else the last of them
// (as Pass@k of the largest k that the samples allow).
std::string primary_metric_of(const tasks::Task& task, const std::vector<results::Metric>& metrics);

// One document's values at one temperature, from all its samples. `correct`
// and `other` per sample; Pass@k for each k.
std::vector<results::DocumentScore> score_document(int document, double temperature,
                                                   std::span<const Judgement> samples,
                                                   const std::vector<results::Metric>& metrics);

// A target as text, for people and hashes.
std::string target_text(const tasks::Target& target);

}  // namespace fbt::run
