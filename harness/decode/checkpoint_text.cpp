#include "harness/decode/checkpoint_text.h"

#include <filesystem>

#include <fmt/format.h>

#include "base/error.h"

namespace fbt {
namespace {

std::optional<Tokenizer> load_tokenizer(const TorchBackendOptions& options,
                                        const Checkpoint& checkpoint) {
  std::filesystem::path path = options.tokenizer;
  if (path.empty() && checkpoint.tokenizer) path = *checkpoint.tokenizer;
  if (path.empty()) return std::nullopt;
  Tokenizer tokenizer = Tokenizer::load(path);
  if (tokenizer.vocab_size() > checkpoint.config.vocab_size) {
    throw InputError(fmt::format("{}: has token ids up to {}, but the model's vocab_size is {}",
                                 path.string(), tokenizer.vocab_size() - 1,
                                 checkpoint.config.vocab_size));
  }
  return tokenizer;
}

}  // namespace

CheckpointText::CheckpointText(const TorchBackendOptions& options, const Checkpoint& checkpoint)
    : tokenizer_(load_tokenizer(options, checkpoint)) {
  tokens_.context_length = checkpoint.config.max_position_embeddings;
  tokens_.vocab_size = checkpoint.config.vocab_size;
  if (tokenizer_) {
    tokens_.tokenizer = &*tokenizer_;
    tokens_.prefix_token = tokenizer_->bos_id();
  }
  if (!tokens_.prefix_token) tokens_.prefix_token = checkpoint.config.bos_token_id;
  if (!tokens_.prefix_token && !checkpoint.stop_token_ids.empty()) {
    tokens_.prefix_token = checkpoint.stop_token_ids.front();
  }
}

}  // namespace fbt
