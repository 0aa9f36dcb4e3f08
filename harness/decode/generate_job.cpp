#include "harness/decode/generate_job.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "harness/decode/encode_memo.h"
#include "harness/decode/generation.h"
#include "harness/decode/request_windows.h"
#include "harness/decode/sequence_set.h"

namespace fbt {
namespace {

using Clock = std::chrono::steady_clock;

// The pass that a prompt's last states are read from.
int prompt_pass(const GenerateRequest& request) {
  return request.mode == Mode::kFused ? request.feedback_steps : 0;
}

}  // namespace

// One run(): the part whose prompts are being computed, and the rows of all.
class GenerateJob::Run {
 public:
  Run(const GenerateJob& job, const InferenceModel& model, KvPool& pool, PrefixCache& prefixes,
      EngineLimits limits, const GenerateSink& sink, Profile& profile)
      : job_(job),
        model_(model),
        pool_(pool),
        prefixes_(prefixes),
        sink_(sink),
        profile_(profile),
        decoder_(model, profile),
        scheduler_(pool, decoder_, limits) {
    tokenize_next();
  }

  void work(BackendCounters& counters) {
    const BackendCounters before = counters;
    scheduler_.run([this](bool wait) { return next_prefill(wait); },
                   [&] {
                     counters.prompt_tokens_asked = before.prompt_tokens_asked + asked_;
                     counters.prompt_tokens_computed =
                         before.prompt_tokens_computed + computed_tokens();
                     counters.generated_tokens = before.generated_tokens + decoder_.chosen_tokens();
                     return stopped_;
                   });
  }

  const GenerateJob& job() const { return job_; }

  void finish(std::size_t request, Completion completion) {
    if (!stopped_) stopped_ = !sink_(request, std::move(completion));
  }

 private:
  // Begins with the part after those that were begun, on a thread of its own.
  void tokenize_next() {
    if (tokenized_ == job_.windows_.size()) return;
    next_ = std::async(std::launch::async, [this, window = job_.windows_[tokenized_]] {
      return job_.tokenize(window);
    });
    ++tokenized_;
  }

  // The next part's prompts; null if there are none, or none yet.
  Prefill* next_prefill(bool wait) {
    if (!next_.valid()) return nullptr;
    if (!wait && next_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) {
      return nullptr;
    }
    computed_before_ = computed_tokens();
    prefill_.reset();
    part_ = next_.get();
    profile_.add(EngineStage::kTokenize, part_.seconds);
    tokenize_next();
    scheduler_.expect_tail(part_.longest_tail);
    for (const TreeSequence& sequence : part_.tree->sequences()) {
      scheduler_.require_room(static_cast<std::int64_t>(sequence.tokens.size()), sequence.passes);
    }
    Prefill::Plan plan;
    plan.cache = &prefixes_;
    plan.computed = [](const ComputedPass&) {};
    plan.ready = [this](int sequence, const std::shared_ptr<const PrefixState>& state) {
      add_rows(sequence, state);
    };
    prefill_ = std::make_unique<Prefill>(model_, pool_, *part_.tree, std::move(plan), profile_);
    return prefill_.get();
  }

  void add_rows(int sequence, const std::shared_ptr<const PrefixState>& state);

  std::uint64_t computed_tokens() const {
    return computed_before_ + (prefill_ ? prefill_->computed_tokens() : 0);
  }

  const GenerateJob& job_;
  const InferenceModel& model_;
  KvPool& pool_;
  PrefixCache& prefixes_;
  const GenerateSink& sink_;
  Profile& profile_;
  Decoder decoder_;
  Scheduler scheduler_;
  Part part_;
  std::unique_ptr<Prefill> prefill_;   // of part_
  std::uint64_t computed_before_ = 0;  // tokens of the parts before
  std::uint64_t asked_ = 0;            // tokens x passes of the prompts that are ready
  std::size_t tokenized_ = 0;          // parts that were begun
  std::future<Part> next_;
  bool stopped_ = false;
};

class GenerateJob::GenerationRow : public RowClient {
 public:
  GenerationRow(Run& run, std::size_t request, std::int64_t prompt_tokens, int cut)
      : run_(run),
        request_(request),
        cut_(cut),
        start_(Clock::now()),
        generation_(run.job().requests_[request], prompt_tokens, run.job().text_.context_length,
                    run.job().stop_tokens_, run.job().text_.tokenizer) {}

  TokenChoice next_choice(std::int64_t step) override {
    return {-1, run_.job().requests_[request_].temperature, generation_.uniform(step)};
  }

  bool accept(const ChosenToken& chosen) override {
    if (generation_.accept(chosen.token, chosen.log_likelihood)) return true;
    Completion completion = generation_.take();
    completion.cut_tokens = cut_;
    completion.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    run_.finish(request_, std::move(completion));
    return false;
  }

 private:
  Run& run_;
  std::size_t request_;
  int cut_;
  Clock::time_point start_;
  Generation generation_;
};

void GenerateJob::Run::add_rows(int sequence, const std::shared_ptr<const PrefixState>& state) {
  for (const std::size_t r : part_.requests_of[static_cast<std::size_t>(sequence)]) {
    const GenerateRequest& request = job_.requests_[r];
    const int pass = prompt_pass(request);
    const std::int64_t prompt = (*state)[static_cast<std::size_t>(pass)].cache.length();
    asked_ += static_cast<std::uint64_t>(prompt * (pass + 1));
    scheduler_.add({state, pass, request.mode != Mode::kStandard,
                    job_.new_positions(request, prompt),
                    std::make_unique<GenerationRow>(*this, r, prompt, part_.cut[r - part_.first])});
  }
}

GenerateJob::GenerateJob(std::span<const GenerateRequest> requests, const TextTokens& text,
                         std::span<const int> stop_tokens)
    : requests_(requests),
      text_(text),
      stop_tokens_(stop_tokens),
      windows_(request_windows(requests)) {}

GenerateJob::Part GenerateJob::tokenize(std::span<const GenerateRequest> window) const {
  const auto begin = Clock::now();
  Part part;
  part.first = static_cast<std::size_t>(window.data() - requests_.data());
  EncodeMemo memo(text_);
  SequenceSet sequences;
  for (std::size_t i = 0; i < window.size(); ++i) {
    PromptTokens prompt = prompt_tokens_of(window[i], memo);
    part.cut.push_back(prompt.cut);
    part.longest_tail =
        std::max(part.longest_tail,
                 new_positions(window[i], static_cast<std::int64_t>(prompt.tokens.size())));
    const auto sequence = static_cast<std::size_t>(
        sequences.add(std::move(prompt.tokens), 1 + prompt_pass(window[i])));
    part.requests_of.resize(std::max(part.requests_of.size(), sequence + 1));
    part.requests_of[sequence].push_back(part.first + i);
  }
  part.tree = std::make_unique<PrefixTree>(sequences.take());
  part.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return part;
}

std::int64_t GenerateJob::new_positions(const GenerateRequest& request, std::int64_t prompt) const {
  const std::int64_t room = std::max<std::int64_t>(1, text_.context_length - prompt);
  return std::min<std::int64_t>(request.max_new_tokens, room);
}

void GenerateJob::run(const InferenceModel& model, KvPool& pool, PrefixCache& prefixes,
                      EngineLimits limits, const GenerateSink& sink, BackendCounters& counters,
                      Profile& profile) {
  Run(*this, model, pool, prefixes, limits, sink, profile).work(counters);
}

}  // namespace fbt
