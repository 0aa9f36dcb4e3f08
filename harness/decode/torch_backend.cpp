#include "harness/decode/torch_backend.h"

#include <algorithm>
#include <chrono>
#include <future>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>
#include <fmt/format.h>
#include <torch/version.h>

#include "base/error.h"
#include "harness/decode/checkpoint_text.h"
#include "harness/decode/engine_setup.h"
#include "harness/decode/generate_job.h"
#include "harness/decode/heap.h"
#include "harness/decode/inference_model.h"
#include "harness/decode/prefix_cache.h"
#include "harness/decode/request_windows.h"
#include "harness/decode/score_job.h"
#include "harness/model/checkpoint.h"

namespace fbt {
namespace {

class TorchBackend : public Backend {
 public:
  explicit TorchBackend(const TorchBackendOptions& options)
      : options_(options),
        checkpoint_(open_checkpoint(options.checkpoint, options.weight_seed)),
        text_(options, checkpoint_),
        stop_tokens_(make_stop_tokens()),
        model_(make_model(options, checkpoint_)),
        pool_(make_pool(options, *model_)) {
    pool_.set_reclaimer([this] { return prefixes_.evict(); });
    trim_heap();  // of what loading took
  }

  void score(std::span<const ScoreRequest> requests, const ScoreSink& sink) override {
    const c10::NoGradGuard no_grad;
    for (const ScoreRequest& request : requests) check(request.mode, request.feedback_steps);
    const std::vector<std::span<const ScoreRequest>> windows = request_windows(requests);
    std::future<TokenizedScores> next;
    if (!windows.empty()) next = tokenize_beside(windows.front());
    std::size_t first = 0;
    for (std::size_t w = 0; w < windows.size(); ++w) {
      TokenizedScores window = next.get();
      profile_.add(EngineStage::kTokenize, window.seconds);
      if (w + 1 < windows.size()) next = tokenize_beside(windows[w + 1]);
      const bool go_on = window.job->run(
          *model_, pool_, prefixes_, limits(),
          [&](std::size_t index, ScoreResult&& result) {
            return sink(first + index, std::move(result));
          },
          counters_, profile_);
      if (!go_on) return;
      first += windows[w].size();
    }
  }

  void generate(std::span<const GenerateRequest> requests, const GenerateSink& sink) override {
    const c10::NoGradGuard no_grad;
    for (const GenerateRequest& request : requests) {
      check(request.mode, request.feedback_steps);
      if (request.max_new_tokens < 1 || !(request.temperature >= 0)) {
        throw InputError(
            "a completion needs at least one new token and a temperature of 0 or more");
      }
    }
    GenerateJob(requests, text_.tokens(), stop_tokens_)
        .run(*model_, pool_, prefixes_, limits(), sink, counters_, profile_);
  }

  std::vector<int> tokenize(std::string_view text) const override {
    return text_.tokens().encode(text);
  }
  bool has_feedback() const override { return checkpoint_.has_feedback(); }
  int context_length() const override {
    return static_cast<int>(checkpoint_.config.max_position_embeddings);
  }
  BackendCounters counters() const override {
    BackendCounters counters = counters_;
    counters.cache_bytes_peak = static_cast<std::uint64_t>(pool_.peak_bytes());
    counters.cache_bytes_budget = static_cast<std::uint64_t>(pool_.budget_bytes());
    return counters;
  }

  std::vector<std::pair<std::string, std::string>> description() const override {
    return {{"kind", "libtorch"},
            {"version", TORCH_VERSION},
            {"device", options_.device},
            {"dtype", std::string(dtype_name(options_.dtype))},
            {"compute", c10::toString(model_->compute_type())},
            {"instructions", model_->instructions()},
            {"threads", std::to_string(at::get_num_threads())},
            {"batch_invariant", options_.batch_invariant ? "yes" : "no"}};
  }

  std::vector<std::pair<std::string, double>> profile() const override {
    std::vector<std::pair<std::string, double>> seconds;
    for (std::size_t i = 0; i < kEngineStageNames.size(); ++i) {
      seconds.emplace_back(kEngineStageNames[i], profile_.seconds(static_cast<EngineStage>(i)));
    }
    return seconds;
  }

 private:
  struct TokenizedScores {
    std::unique_ptr<ScoreJob> job;
    double seconds = 0;
  };

  // Tokenizes a window on a thread of its own.
  std::future<TokenizedScores> tokenize_beside(std::span<const ScoreRequest> window) const {
    return std::async(std::launch::async, [this, window] {
      const auto begin = std::chrono::steady_clock::now();
      auto job = std::make_unique<ScoreJob>(window, text_.tokens());
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
      return TokenizedScores{std::move(job), took.count()};
    });
  }

  void check(Mode mode, int feedback_steps) const {
    if (feedback_steps < 0) throw InputError("--feedback-steps must not be negative");
    if (needs_feedback(mode) && !has_feedback()) {
      throw InputError(fmt::format(
          "the checkpoint {} has no feedback weights (latent_feedback is false in {}): mode {} "
          "cannot run; use --mode standard",
          checkpoint_.facts.name, checkpoint_.config_path.string(), mode_name(mode)));
    }
  }

  EngineLimits limits() const { return {options_.batch_tokens, options_.batch_rows}; }

  std::vector<int> make_stop_tokens() const {
    std::vector<int> tokens = checkpoint_.stop_token_ids;
    if (text_.tokenizer() != nullptr && !checkpoint_.eos_token.empty()) {
      const auto eos = text_.tokenizer()->token_id(checkpoint_.eos_token);
      if (eos && std::find(tokens.begin(), tokens.end(), *eos) == tokens.end()) {
        tokens.push_back(*eos);
      }
    }
    return tokens;
  }

  TorchBackendOptions options_;
  Checkpoint checkpoint_;
  CheckpointText text_;
  std::vector<int> stop_tokens_;
  std::unique_ptr<InferenceModel> model_;
  KvPool pool_;
  PrefixCache prefixes_;
  BackendCounters counters_;
  Profile profile_;
};

}  // namespace

std::unique_ptr<Backend> make_torch_backend(const TorchBackendOptions& options) {
  set_up_engine(options);
  return std::make_unique<TorchBackend>(options);
}

}  // namespace fbt
