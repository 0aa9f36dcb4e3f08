#pragma once

// Generation requests as work for the engine: prompts through the prefix tree,
// then one row each.

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
  // Tokenizes all prompts. `requests`, `text` and `stop_tokens` must outlive the
  // job. Throws InputError for requests that cannot be done.
  GenerateJob(std::span<const GenerateRequest> requests, const TextTokens& text,
              std::span<const int> stop_tokens);

  // Computes and reports everything; adds to `counters` as it goes. Throws
  // InputError where the pool is too small.
  void run(const InferenceModel& model, KvPool& pool, PrefixCache& prefixes, EngineLimits limits,
           const GenerateSink& sink, BackendCounters& counters, Profile& profile);

 private:
  class GenerationRow;

  // The most tokens that can follow a prompt of `prompt` tokens.
  std::int64_t new_positions(const GenerateRequest& request, std::int64_t prompt) const;
  void add_rows(int sequence, const std::shared_ptr<const PrefixState>& state,
                Scheduler& scheduler);

  std::span<const GenerateRequest> requests_;
  const TextTokens& text_;
  std::span<const int> stop_tokens_;
  std::vector<int> cut_;                               // by request
  std::vector<std::vector<std::size_t>> requests_of_;  // by sequence
  std::unique_ptr<PrefixTree> tree_;
  std::int64_t longest_tail_ = 0;  // new tokens of any request
  std::uint64_t asked_ = 0;        // tokens x passes of the prompts that are ready
  const GenerateSink* sink_ = nullptr;
  bool stopped_ = false;
};

}  // namespace fbt
