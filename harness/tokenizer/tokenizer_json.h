#pragma once

// A tokenizer.json, read and checked.

#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>

#include "harness/tokenizer/added_tokens.h"
#include "harness/tokenizer/bpe_model.h"
#include "harness/tokenizer/decoder.h"
#include "harness/tokenizer/normalizer.h"
#include "harness/tokenizer/pre_tokenizer.h"
#include "harness/tokenizer/vocabulary.h"

namespace fbt::tokenizer {

// The parts of a tokenizer, in the order a text passes them.
struct Parts {
  AddedTokens added;
  std::unique_ptr<const Normalizer> normalizer;  // may be null
  PreTokenizerChain pre_tokenizers;
  std::unique_ptr<const BpeModel> model;
  std::optional<int> bos;
  Decoder decoder;
  std::unique_ptr<const Vocabulary> vocabulary;  // the model's tokens and the added ones
};

// Throws InputError, naming `name` and the key at fault.
Parts read_tokenizer_json(std::string_view json, std::string_view name);

}  // namespace fbt::tokenizer
