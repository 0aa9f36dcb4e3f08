#pragma once

// What happens to a text before it is split: Hugging Face's normalizers NFC,
// NFD, NFKC, NFKD, Prepend, Replace, Strip and Sequence.

#include <memory>
#include <string>

#include "harness/tokenizer/json_node.h"

namespace fbt::tokenizer {

// Immutable; any number of threads may call it at once.
class Normalizer {
 public:
  virtual ~Normalizer() = default;
  // `text` is valid UTF-8, and so is the result.
  virtual std::string normalize(std::string text) const = 0;
};

// Throws InputError, naming a kind that is not supported.
std::unique_ptr<Normalizer> make_normalizer(const JsonNode& node);

}  // namespace fbt::tokenizer
