#include "harness/train/corpus.h"

#include <memory>
#include <optional>
#include <vector>

#include "base/error.h"
#include "harness/tokenizer/bpe_trainer.h"
#include "tasks/synthetic/training_text.h"

namespace fbt::train {
namespace {

constexpr std::uint64_t kTokenizerDocuments = 10'000;  // 8 MB: every word many times
constexpr const char* kEos = "<|eos|>";

}  // namespace

std::string learn_tokenizer(int vocab_size, std::uint64_t seed) {
  const synthetic::TrainingText text(seed);
  tokenizer::BpeTrainer trainer({.vocab_size = vocab_size, .eos = kEos, .digits = 3});
  for (std::uint64_t index = 0; index < kTokenizerDocuments; ++index) {
    trainer.add_text(text.document(index));
  }
  return trainer.train();
}

PackedRows training_rows(const Tokenizer& tokenizer, std::uint64_t seed, std::int64_t row_tokens) {
  const std::optional<int> bos = tokenizer.bos_id();
  if (!bos) {
    throw InputError("the tokenizer puts no BOS in front of a text; training needs one");
  }
  const std::optional<int> eos = tokenizer.token_id(kEos);
  const auto text = std::make_shared<const synthetic::TrainingText>(seed);
  return {[text](std::uint64_t index) { return text->document(index); },
          [&tokenizer, eos](const std::string& document) {
            std::vector<int> ids = tokenizer.encode(document, /*parse_special=*/false);
            if (eos) ids.push_back(*eos);
            return ids;
          },
          *bos, row_tokens};
}

}  // namespace fbt::train
