#pragma once

// Log-likelihood requests as work for the engine: standard and fused ones are
// read off the prefix tree's states; soft ones are rows that are forced along
// their continuation.

#include <span>
#include <vector>

#include "harness/backend/backend.h"
#include "harness/decode/prefix_cache.h"
#include "harness/decode/request_tokens.h"
#include "harness/decode/scheduler.h"

namespace fbt {

class ScoreJob {
 public:
  // Tokenizes all requests. Throws InputError for those that cannot be done.
  ScoreJob(std::span<const ScoreRequest> requests, const TextTokens& text);

  // Computes and reports everything; adds to `counters` as it goes. Returns
  // whether the sink wants more. Throws InputError where the pool is too small.
  bool run(const InferenceModel& model, KvPool& pool, PrefixCache& prefixes, EngineLimits limits,
           const ScoreSink& sink, BackendCounters& counters, Profile& profile);

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
    std::uint64_t asked = 0;  // tokens x passes if it were computed alone
    int missing = 0;          // continuation tokens without a log-likelihood yet
  };
  // Scores the host has not seen, and whose they are.
  struct ScoresAhead {
    std::vector<std::size_t> requests;
    PendingScores wait;
  };

  // The first position of a node that predicts something wanted.
  std::int64_t first_target(int node) const;
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
  std::int64_t longest_tail_ = 0;  // of the soft continuations
  std::uint64_t asked_ = 0;        // by the requests that are done
  const ScoreSink* sink_ = nullptr;
  bool stopped_ = false;
};

}  // namespace fbt
