#include "harness/decode/generate_job.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "harness/decode/encode_memo.h"
#include "harness/decode/generation.h"
#include "harness/decode/sequence_set.h"

namespace fbt {
namespace {

// The pass that a prompt's last states are read from.
int prompt_pass(const GenerateRequest& request) {
  return request.mode == Mode::kFused ? request.feedback_steps : 0;
}

}  // namespace

class GenerateJob::GenerationRow : public RowClient {
 public:
  GenerationRow(GenerateJob& job, std::size_t request, std::int64_t prompt_tokens)
      : job_(job),
        request_(request),
        start_(Clock::now()),
        generation_(job.requests_[request], prompt_tokens, job.text_.context_length,
                    job.stop_tokens_, job.text_.tokenizer) {}

  TokenChoice next_choice(std::int64_t step) override {
    return {-1, job_.requests_[request_].temperature, generation_.uniform(step)};
  }

  bool accept(const ChosenToken& chosen) override {
    if (generation_.accept(chosen.token, chosen.log_likelihood)) return true;
    Completion completion = generation_.take();
    completion.cut_tokens = job_.cut_[request_];
    completion.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    if (!job_.stopped_) job_.stopped_ = !(*job_.sink_)(request_, std::move(completion));
    return false;
  }

 private:
  using Clock = std::chrono::steady_clock;
  GenerateJob& job_;
  std::size_t request_;
  Clock::time_point start_;
  Generation generation_;
};

GenerateJob::GenerateJob(std::span<const GenerateRequest> requests, const TextTokens& text,
                         std::span<const int> stop_tokens)
    : requests_(requests), text_(text), stop_tokens_(stop_tokens) {
  EncodeMemo memo(text);
  SequenceSet sequences;
  for (std::size_t r = 0; r < requests.size(); ++r) {
    PromptTokens prompt = prompt_tokens_of(requests[r], memo);
    cut_.push_back(prompt.cut);
    const int passes = 1 + prompt_pass(requests[r]);
    longest_tail_ = std::max(
        longest_tail_, new_positions(requests[r], static_cast<std::int64_t>(prompt.tokens.size())));
    const auto sequence = static_cast<std::size_t>(sequences.add(std::move(prompt.tokens), passes));
    requests_of_.resize(std::max(requests_of_.size(), sequence + 1));
    requests_of_[sequence].push_back(r);
  }
  tree_ = std::make_unique<PrefixTree>(sequences.take());
}

std::int64_t GenerateJob::new_positions(const GenerateRequest& request, std::int64_t prompt) const {
  const std::int64_t room = std::max<std::int64_t>(1, text_.context_length - prompt);
  return std::min<std::int64_t>(request.max_new_tokens, room);
}

void GenerateJob::add_rows(int sequence, const std::shared_ptr<const PrefixState>& state,
                           Scheduler& scheduler) {
  for (const std::size_t r : requests_of_[static_cast<std::size_t>(sequence)]) {
    const GenerateRequest& request = requests_[r];
    const int pass = prompt_pass(request);
    const std::int64_t prompt = (*state)[static_cast<std::size_t>(pass)].cache.length();
    asked_ += static_cast<std::uint64_t>(prompt * (pass + 1));
    scheduler.add({state, pass, request.mode != Mode::kStandard, new_positions(request, prompt),
                   std::make_unique<GenerationRow>(*this, r, prompt)});
  }
}

void GenerateJob::run(const InferenceModel& model, KvPool& pool, PrefixCache& prefixes,
                      EngineLimits limits, const GenerateSink& sink, BackendCounters& counters,
                      Profile& profile) {
  sink_ = &sink;
  Decoder decoder(model, profile);
  Scheduler scheduler(pool, decoder, limits, longest_tail_);
  for (const TreeSequence& sequence : tree_->sequences()) {
    scheduler.require_room(static_cast<std::int64_t>(sequence.tokens.size()), sequence.passes);
  }
  Prefill::Plan plan;
  plan.cache = &prefixes;
  plan.computed = [](const ComputedPass&) {};
  plan.ready = [&](int sequence, const std::shared_ptr<const PrefixState>& state) {
    add_rows(sequence, state, scheduler);
  };
  Prefill prefill(model, pool, *tree_, std::move(plan), profile);
  const BackendCounters before = counters;
  scheduler.run(prefill, [&] {
    counters.prompt_tokens_asked = before.prompt_tokens_asked + asked_;
    counters.prompt_tokens_computed = before.prompt_tokens_computed + prefill.computed_tokens();
    counters.generated_tokens = before.generated_tokens + decoder.chosen_tokens();
    return stopped_;
  });
}

}  // namespace fbt
