#pragma once

// What a task may ask of a model. Implementations: the LibTorch engine
// (harness/decode); a remote server would be another.
//
// A caller hands over everything it wants at once, in any mixture of modes,
// temperatures and lengths: the backend plans the work (shared prefixes,
// batches) and reports each result as soon as it is there, in any order.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "harness/backend/mode.h"

namespace fbt {

// log p(continuation | context), as lm-eval asks for it: spaces at the end of
// the context move to the continuation, both are tokenized as one text, an
// empty context becomes the BOS (or EOS) token, and what does not fit into the
// model's context loses its oldest tokens.
struct ScoreRequest {
  std::string context;
  std::string continuation;
  Mode mode = Mode::kStandard;
  int feedback_steps = 1;  // fused passes over context and continuation (fused mode)
};

struct ScoreResult {
  double log_likelihood = 0;  // natural log, summed over the continuation's tokens
  bool is_greedy = false;     // every continuation token was the most likely one
  int context_tokens = 0;
  int continuation_tokens = 0;
  int cut_tokens = 0;  // oldest context tokens that did not fit
};

struct GenerateRequest {
  std::string prompt;
  // When not empty, used as they are instead of `prompt`.
  std::vector<int> prompt_tokens;
  Mode mode = Mode::kStandard;
  int feedback_steps = 1;
  double temperature = 0;         // 0: greedy
  std::vector<std::string> stop;  // cut before the earliest of these
  int max_new_tokens = 256;
  // Names this sample's random stream (KeyedRandom): of (seed, task, document,
  // mode, temperature, sample). The step is the generated token's index.
  std::uint64_t random_key = 0;
};

enum class StopReason { kStopString, kStopToken, kLength, kContext };

// "stop_string", "stop_token", "length", "context".
std::string_view stop_reason_name(StopReason reason);

struct Completion {
  std::vector<int> tokens;  // generated, the stop token included where one ended it
  std::string text;         // decoded, cut before the stop string
  // Bytes of the decoded text that are there once tokens[i] is (a token whose
  // text waits for a later one repeats the number before); empty where the
  // backend cannot tell.
  std::vector<std::size_t> text_ends;
  StopReason stop_reason = StopReason::kLength;
  double log_likelihood = 0;  // of the generated tokens under temperature 1
  int prompt_tokens = 0;
  int cut_tokens = 0;    // oldest prompt tokens that did not fit
  int trace_tokens = 0;  // trace length: generated tokens up to the stop (DESIGN.md §3)
  double seconds = 0;    // from the row's first step to its last
};

// Called once per request with its index in the span, on the thread that
// called score() or generate(), as results finish. Returning false stops the
// work: unfinished requests are dropped and the call returns.
using ScoreSink = std::function<bool(std::size_t index, ScoreResult&& result)>;
using GenerateSink = std::function<bool(std::size_t index, Completion&& completion)>;

// What a run reports about the work done since the backend was made.
struct BackendCounters {
  std::uint64_t prompt_tokens_asked = 0;     // tokens x passes if nothing were shared
  std::uint64_t prompt_tokens_computed = 0;  // tokens x passes that went through the layers
  std::uint64_t generated_tokens = 0;
  std::uint64_t cache_bytes_peak = 0;  // of keys and values held at once
  std::uint64_t cache_bytes_budget = 0;
};

class Backend {
 public:
  virtual ~Backend() = default;

  // Throws InputError where a request cannot be done (soft or fused without
  // feedback weights) before any work is done.
  virtual void score(std::span<const ScoreRequest> requests, const ScoreSink& sink) = 0;
  virtual void generate(std::span<const GenerateRequest> requests, const GenerateSink& sink) = 0;

  virtual std::vector<int> tokenize(std::string_view text) const = 0;
  virtual bool has_feedback() const = 0;
  virtual int context_length() const = 0;
  virtual BackendCounters counters() const = 0;
  // Where the backend's time went so far, as (stage, seconds) pairs.
  virtual std::vector<std::pair<std::string, double>> profile() const { return {}; }
  // {"kind": "libtorch", "version": ..., "device": ..., "dtype": ..., "threads": n}
  // as (name, value) pairs, stored with the run.
  virtual std::vector<std::pair<std::string, std::string>> description() const = 0;
};

}  // namespace fbt
