#pragma once

// One completion while its tokens arrive: text, stop strings across token
// borders, stop tokens, limits.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/random.h"
#include "harness/backend/backend.h"
#include "harness/tokenizer/incremental_detokenizer.h"

namespace fbt {

class Generation {
 public:
  // `request` and `tokenizer` (null: no text, no stop strings) must outlive the
  // object. Generated and prompt tokens together stay within `context_length`.
  Generation(const GenerateRequest& request, std::int64_t prompt_tokens,
             std::int64_t context_length, std::span<const int> stop_tokens,
             const Tokenizer* tokenizer);

  // The uniform number for the token number `step`.
  double uniform(std::int64_t step) const {
    return random_.uniform(static_cast<std::uint64_t>(step));
  }

  // Takes the next token in; returns whether the completion goes on.
  bool accept(int token, double log_likelihood);

  // The completion, once accept() returned false; without seconds and cut_tokens.
  Completion take() { return std::move(completion_); }

 private:
  bool finish(StopReason reason);
  // Whether a stop string stands in the text, which is then cut before it.
  bool cut_at_stop_string(std::size_t new_text_begin);

  const GenerateRequest& request_;
  std::int64_t context_length_;
  std::span<const int> stop_tokens_;
  std::vector<int> stop_string_tokens_;  // special tokens whose text is a stop string
  std::optional<IncrementalDetokenizer> detokenizer_;
  KeyedRandom random_;
  std::size_t longest_stop_ = 0;
  Completion completion_;
};

}  // namespace fbt
