#pragma once

// From requests to token ids, by lm-eval's rules. Knows nothing of LibTorch.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "harness/backend/backend.h"
#include "harness/tokenizer/tokenizer.h"

namespace fbt {

// The tokenizer with what a model expects around a text.
struct TextTokens {
  const Tokenizer* tokenizer = nullptr;  // null: only token ids can be given
  // What an empty context becomes: BOS, or EOS where there is none.
  std::optional<int> prefix_token;
  std::int64_t context_length = 0;
  std::int64_t vocab_size = 0;

  // The ids of `text` with the BOS that the tokenizer puts in front of texts.
  // Throws InputError without a tokenizer.
  std::vector<int> encode(std::string_view text) const;
};

class EncodeMemo;

// Throws InputError for ids outside the vocabulary.
void check_token_ids(std::span<const int> ids, std::int64_t vocab_size);

struct ScoreTokens {
  std::vector<int> context;       // what fits of it, at least one token
  std::vector<int> continuation;  // at least one token
  int cut = 0;                    // oldest context tokens that did not fit
};

// Spaces at the end of the context (as Python's str.rstrip() sees them) move to
// the continuation; both are tokenized as one text and parted where the
// context's own tokens end; the newest context_length + 1 tokens are kept (the
// last one is only predicted). Throws InputError for an empty continuation and
// for one that is longer than the model's context.
ScoreTokens score_tokens_of(const ScoreRequest& request, EncodeMemo& memo);

struct PromptTokens {
  std::vector<int> tokens;  // at least one
  int cut = 0;              // oldest prompt tokens that did not fit
};

// Keeps the newest context_length - max_new_tokens tokens, at least one. Throws
// InputError for ids outside the vocabulary and for an empty prompt where the
// model has neither BOS nor EOS.
PromptTokens prompt_tokens_of(const GenerateRequest& request, EncodeMemo& memo);

}  // namespace fbt
