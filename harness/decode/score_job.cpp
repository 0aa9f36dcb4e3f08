#include "harness/decode/score_job.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "harness/decode/encode_memo.h"
#include "harness/decode/sequence_set.h"

namespace fbt {

// Scores a continuation token by token, each fed the state before it.
class ScoreJob::SoftRow : public RowClient {
 public:
  SoftRow(ScoreJob& job, std::size_t request, std::vector<int> continuation)
      : job_(job), request_(request), continuation_(std::move(continuation)) {}

  TokenChoice next_choice(std::int64_t step) override {
    return {continuation_[static_cast<std::size_t>(step)], 0, 0};
  }

  bool accept(const ChosenToken& chosen) override {
    job_.add_up(request_, chosen);
    return ++scored_ < continuation_.size();
  }

 private:
  ScoreJob& job_;
  std::size_t request_;
  std::vector<int> continuation_;
  std::size_t scored_ = 0;
};

ScoreJob::ScoreJob(std::span<const ScoreRequest> requests, const TextTokens& text)
    : requests_(requests), pending_(requests.size()), soft_continuations_(requests.size()) {
  EncodeMemo memo(text);
  SequenceSet sequences;
  struct Place {
    std::int64_t first_position;  // of the state that predicts the first token
    int pass;
    std::vector<int> continuation;
  };
  std::vector<Place> places(requests.size());
  for (std::size_t r = 0; r < requests.size(); ++r) {
    ScoreTokens tokens = score_tokens_of(requests[r], memo);
    pending_[r].result.context_tokens = static_cast<int>(tokens.context.size());
    pending_[r].result.continuation_tokens = static_cast<int>(tokens.continuation.size());
    pending_[r].result.cut_tokens = tokens.cut;
    pending_[r].result.is_greedy = true;
    pending_[r].missing = static_cast<int>(tokens.continuation.size());
    const int pass = requests[r].mode == Mode::kFused ? requests[r].feedback_steps : 0;
    const auto first_position = static_cast<std::int64_t>(tokens.context.size()) - 1;
    std::vector<int> inputs = std::move(tokens.context);
    if (requests[r].mode == Mode::kSoft) {
      const std::size_t tail = tokens.continuation.size();
      pending_[r].asked += tail - 1;
      longest_tail_ = std::max(longest_tail_, static_cast<std::int64_t>(tail));
      soft_continuations_[r] = std::move(tokens.continuation);
    } else {
      // The last token is predicted, never read.
      inputs.insert(inputs.end(), tokens.continuation.begin(), tokens.continuation.end() - 1);
      places[r] = {first_position, pass, std::move(tokens.continuation)};
    }
    pending_[r].asked += inputs.size() * static_cast<std::uint64_t>(pass + 1);
    sequence_of_.push_back(sequences.add(std::move(inputs), pass + 1));
  }
  tree_ = std::make_unique<PrefixTree>(sequences.take());
  targets_.resize(tree_->nodes().size());
  soft_requests_.resize(tree_->sequences().size());
  for (std::size_t r = 0; r < requests.size(); ++r) {
    const int sequence = sequence_of_[r];
    if (requests[r].mode == Mode::kSoft) {
      soft_requests_[static_cast<std::size_t>(sequence)].push_back(r);
    }
    for (std::size_t i = 0; i < places[r].continuation.size(); ++i) {
      const std::int64_t position = places[r].first_position + static_cast<std::int64_t>(i);
      targets_[static_cast<std::size_t>(tree_->node_at(sequence, position))].push_back(
          {position, places[r].pass, places[r].continuation[i], r});
    }
  }
}

std::int64_t ScoreJob::first_target(int node) const {
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  for (const Target& target : targets_[static_cast<std::size_t>(node)]) {
    first = std::min(first, target.position);
  }
  return first;
}

void ScoreJob::add_up(std::size_t request, const ChosenToken& token) {
  Pending& pending = pending_[request];
  pending.result.log_likelihood += token.log_likelihood;
  pending.result.is_greedy = pending.result.is_greedy && token.is_argmax;
  if (--pending.missing == 0 && !stopped_) {
    asked_ += pending.asked;
    stopped_ = !(*sink_)(request, std::move(pending.result));
  }
}

void ScoreJob::score_pass(const ComputedPass& computed, const InferenceModel& model,
                          Profile& profile) {
  std::vector<ScoredToken> wanted;
  ScoresAhead ahead;
  for (const ComputedSlice& slice : computed.slices) {
    for (const Target& target : targets_[static_cast<std::size_t>(slice.node)]) {
      if (target.pass != computed.pass || target.position < slice.begin ||
          target.position >= slice.end) {
        continue;
      }
      wanted.push_back({slice.first_row + target.position - slice.begin, target.token});
      ahead.requests.push_back(target.request);
    }
  }
  if (wanted.empty()) return;
  ahead.wait = model.score(computed.states, wanted, profile);
  ahead_.push_back(std::move(ahead));
  take_in(static_cast<std::size_t>(model.steps_ahead()));
}

void ScoreJob::take_in(std::size_t may_wait) {
  while (ahead_.size() > may_wait) {
    const std::vector<ChosenToken> scored = ahead_.front().wait();
    for (std::size_t i = 0; i < scored.size(); ++i) add_up(ahead_.front().requests[i], scored[i]);
    ahead_.pop_front();
  }
}

bool ScoreJob::run(const InferenceModel& model, KvPool& pool, PrefixCache& prefixes,
                   EngineLimits limits, const ScoreSink& sink, BackendCounters& counters,
                   Profile& profile) {
  sink_ = &sink;
  Decoder decoder(model, profile);
  Scheduler scheduler(pool, decoder, limits);
  scheduler.expect_tail(longest_tail_);
  for (const TreeSequence& sequence : tree_->sequences()) {
    scheduler.require_room(static_cast<std::int64_t>(sequence.tokens.size()), sequence.passes);
  }
  Prefill::Plan plan;
  plan.cache = &prefixes;
  plan.first_needed = [&](int node) { return first_target(node); };
  plan.computed = [&](const ComputedPass& pass) { score_pass(pass, model, profile); };
  plan.ready = [&](int sequence, std::shared_ptr<const PrefixState> state) {
    for (const std::size_t r : soft_requests_[static_cast<std::size_t>(sequence)]) {
      const auto tail = static_cast<std::int64_t>(soft_continuations_[r].size());
      scheduler.add({state, 0, true, tail,
                     std::make_unique<SoftRow>(*this, r, std::move(soft_continuations_[r]))});
    }
  };
  Prefill prefill(model, pool, *tree_, std::move(plan), profile);
  const BackendCounters before = counters;
  const auto count = [&] {
    counters.prompt_tokens_asked = before.prompt_tokens_asked + asked_;
    counters.prompt_tokens_computed =
        before.prompt_tokens_computed + prefill.computed_tokens() + decoder.computed_tokens();
  };
  scheduler.run([&](bool) { return prefill.done() ? nullptr : &prefill; },
                [&] {
                  count();
                  return stopped_;
                });
  take_in(0);
  count();
  return !stopped_;
}

}  // namespace fbt
