#pragma once

// Text to token ids and back, as a Hugging Face tokenizer.json says.
//
// Understood: byte-level BPE (GPT-2, cl100k/Phi-4, Llama 3, Qwen, GPT-NeoX) and
// SentencePiece-style BPE with byte fallback (Llama 2, TinyLlama, Phi-3). What
// a file asks for beyond that is refused by name, never ignored.
//
// Ids are those of Hugging Face's library. Text is UTF-8; invalid bytes in text
// to encode count as U+FFFD each.

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fbt {

// Immutable once loaded: any number of threads may call const members at once.
// Movable; a moved-from object may only be destroyed or assigned to.
class Tokenizer {
 public:
  // `path` is a tokenizer.json or a folder that holds one. Throws InputError:
  // unreadable or malformed file, missing or wrong keys, unsupported kinds
  // (model, normalizer, pre-tokenizer, decoder, post-processor: named).
  static Tokenizer load(const std::filesystem::path& path);

  // The same from a file's content; `name` stands in error messages.
  static Tokenizer from_json(std::string_view json, std::string_view name);

  ~Tokenizer();
  Tokenizer(Tokenizer&&) noexcept;
  Tokenizer& operator=(Tokenizer&&) noexcept;

  // The ids of `text`, without BOS (see bos_id). With parse_special, added
  // tokens that stand in the text become their ids; without, those marked
  // special are ordinary text (added tokens that are not special still match).
  std::vector<int> encode(std::string_view text, bool parse_special = true) const;

  // The bytes that `ids` stand for. Ids may end inside a UTF-8 sequence, so the
  // result need not be valid UTF-8. With skip_special, special tokens give
  // nothing. Ids that name no token give nothing (models pad their vocabulary).
  std::string decode(std::span<const int> ids, bool skip_special = false) const;

  // The id that the file's post-processor puts in front of every text, if any.
  std::optional<int> bos_id() const;

  // The id whose content in the file is exactly `content` ("</s>", "<|endoftext|>").
  // Added tokens come first, then the model's vocabulary.
  std::optional<int> token_id(std::string_view content) const;

  // Whether `id` is an added token marked special.
  bool is_special(int id) const;

  // Whether `id` names a token.
  bool has_token(int id) const;

  // One past the largest id. A model's embedding may have more rows.
  int vocab_size() const;

  // The bytes `id` stands for amid a text (" the", "\n", half of a "€"), special
  // tokens their content; empty where the id names no token.
  std::string token_bytes(int id) const;

 private:
  friend class IncrementalDetokenizer;
  struct Impl;
  explicit Tokenizer(std::unique_ptr<const Impl> impl);

  std::unique_ptr<const Impl> impl_;
};

}  // namespace fbt
