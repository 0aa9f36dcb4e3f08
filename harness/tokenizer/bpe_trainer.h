#pragma once

// Learns a byte-level BPE vocabulary from texts and writes it as a
// tokenizer.json that Tokenizer and Hugging Face's library read alike.
//
// Texts are cut GPT-2's way (letters, other signs, white space, each with one
// space before it), but for digits, which are never led by a space: a number
// is spelled the same way wherever it stands.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "harness/tokenizer/pre_tokenizer.h"

namespace fbt::tokenizer {

struct BpeTrainerOptions {
  // Tokens to end with: BOS (id 0), EOS (id 1), the 256 bytes (2…257), merges.
  int vocab_size = 4096;
  std::string bos = "<|bos|>";
  std::string eos = "<|eos|>";
  // The most digits of a piece. With 1 numbers are spelled digit by digit; with
  // more, frequent numbers become tokens, as suits sums over few small ones.
  int digits = 1;
  // Pairs seen less often are not merged.
  std::int64_t minimum_count = 2;
};

// Not thread-safe. The result depends on the texts' words and their numbers
// only, not on the order of texts or the machine.
class BpeTrainer {
 public:
  // Throws InputError where vocab_size leaves no room for the bytes.
  explicit BpeTrainer(BpeTrainerOptions options);

  // Counts the words of `text` (UTF-8; invalid bytes count as U+FFFD).
  void add_text(std::string_view text);

  // The tokenizer.json. At each step the most frequent pair of adjacent tokens
  // becomes a token, of equals the one with the lowest ids. Ends with fewer
  // tokens than asked for where no pair is frequent enough.
  std::string train() const;

 private:
  BpeTrainerOptions options_;
  PreTokenizerChain pre_tokenizers_;
  std::unordered_map<std::string, std::int64_t> word_counts_;
};

}  // namespace fbt::tokenizer
