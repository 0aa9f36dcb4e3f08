#pragma once

// Generation requests as work for the engine: prompts through the prefix tree,
// then one row each. While the model works on some prompts, the next are
// tokenized; rows of all of them decode together.

#include <cstddef>
#include <future>
#include <memory>
#include <span>
#include <vector>

#include "harness/backend/backend.h"
#include "harness/decode/prefix_cache.h"
#include "harness/decode/request_tokens.h"
#include "harness/decode/scheduler.h"

namespace fbt {

class GenerateJob {
 public:
  // `requests`, `text` and `stop_tokens` must outlive the job.
  GenerateJob(std::span<const GenerateRequest> requests, const TextTokens& text,
              std::span<const int> stop_tokens);

  // Computes and reports everything; adds to `counters` and `profile` as it goes.
  // Throws InputError for requests that cannot be done and where the pool is too
  // small.
  void run(const InferenceModel& model, KvPool& pool, PrefixCache& prefixes, EngineLimits limits,
           const GenerateSink& sink, BackendCounters& counters, Profile& profile);

 private:
  class GenerationRow;
  class Run;

  // Consecutive requests, tokenized.
  struct Part {
    std::size_t first = 0;                              // request
    std::vector<int> cut;                               // by request from the first on
    std::vector<std::vector<std::size_t>> requests_of;  // by sequence
    std::unique_ptr<PrefixTree> tree;
    std::int64_t longest_tail = 0;  // new tokens of any request
    double seconds = 0;             // that tokenizing took
  };

  // The most tokens that can follow a prompt of `prompt` tokens.
  std::int64_t new_positions(const GenerateRequest& request, std::int64_t prompt) const;
  Part tokenize(std::span<const GenerateRequest> window) const;

  std::span<const GenerateRequest> requests_;
  const TextTokens& text_;
  std::span<const int> stop_tokens_;
  std::vector<std::span<const GenerateRequest>> windows_;
};

}  // namespace fbt
