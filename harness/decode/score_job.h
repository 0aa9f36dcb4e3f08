#pragma once

// Log-likelihood requests as work for the engine: standard and fused ones are
// read off the prefix tree's states; soft ones are rows that are forced along
// their continuation.

#include <span>
#include <vector>

#include "harness/backend/backend.h"
#include "harness/decode/request_tokens.h"
#include "harness/decode/scheduler.h"

namespace fbt {

class ScoreJob {
 public:
  // Tokenizes all requests. Throws InputError for those that cannot be done.
  ScoreJob(std::span<const ScoreRequest> requests, const TextTokens& text);

  // Computes and reports everything; adds to `counters`.
  void run(const InferenceModel& model, KvPool& pool, EngineLimits limits, const ScoreSink& sink,
           BackendCounters& counters, Profile& profile);

 private:
  class SoftRow;

  // A token that a position of the tree predicts for a request.
  struct Target {
    std::int64_t position;
    int pass;
    int token;
    std::size_t request;
  };
  struct Pending {
    ScoreResult result;
    int missing = 0;  // continuation tokens without a log-likelihood yet
  };
  // Scores the host has not seen, and whose they are.
  struct ScoresAhead {
    std::vector<std::size_t> requests;
    PendingScores wait;
  };

  void add_up(std::size_t request, const ChosenToken& token);
  void score_pass(const ComputedPass& computed, const InferenceModel& model, Profile& profile);
  // Waits for scores until no more than `may_wait` are left to be waited for.
  void take_in(std::size_t may_wait);

  std::span<const ScoreRequest> requests_;
  std::vector<Pending> pending_;
  std::vector<std::vector<int>> soft_continuations_;     // by request; empty for other modes
  std::vector<int> sequence_of_;                         // by request
  std::vector<std::vector<std::size_t>> soft_requests_;  // by sequence
  std::unique_ptr<PrefixTree> tree_;
  std::vector<std::vector<Target>> targets_;  // by node
  std::deque<ScoresAhead> ahead_;
  std::uint64_t asked_ = 0;
  const ScoreSink* sink_ = nullptr;
  bool stopped_ = false;
};

}  // namespace fbt
