#pragma once

// The tokenizer that goes with a checkpoint, and what the model expects around a
// text. Knows nothing of LibTorch.

#include <optional>

#include "harness/decode/request_tokens.h"
#include "harness/decode/torch_backend.h"
#include "harness/model/checkpoint.h"
#include "harness/tokenizer/tokenizer.h"

namespace fbt {

class CheckpointText {
 public:
  // The tokenizer of the options, else the checkpoint's own; none where neither
  // has one. Throws InputError for a bad tokenizer.json and for one whose ids the
  // model has no rows for.
  CheckpointText(const TorchBackendOptions& options, const Checkpoint& checkpoint);
  CheckpointText(const CheckpointText&) = delete;
  CheckpointText& operator=(const CheckpointText&) = delete;

  const Tokenizer* tokenizer() const { return tokenizer_ ? &*tokenizer_ : nullptr; }
  const TextTokens& tokens() const { return tokens_; }

 private:
  std::optional<Tokenizer> tokenizer_;
  TextTokens tokens_;
};

}  // namespace fbt
