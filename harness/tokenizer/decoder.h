#pragma once

// From tokens back to text: Hugging Face's decoders ByteLevel, Replace,
// ByteFallback, Metaspace, Strip, Fuse and Sequence.
//
// Each changes one token at a time or, after Fuse, strips the whole text: so
// decoding is a stream, tokens go in one by one and bytes come out.

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/tokenizer/json_node.h"

namespace fbt::tokenizer {

// A change to one token. Tokens may be bytes that are not valid UTF-8.
class TokenRule {
 public:
  virtual ~TokenRule() = default;
  virtual std::string apply(std::string token, bool is_first) const = 0;
};

// Immutable; any number of threads may use it at once.
class Decoder {
 public:
  // For files without a decoder: tokens as they are, joined by spaces.
  Decoder() : separator_(" ") {}
  // Throws InputError, naming a kind that is not supported.
  explicit Decoder(const JsonNode& node);

  // What one token becomes, but for what Strip takes from the whole text's ends.
  std::string token_bytes(std::string_view content, bool is_first) const;

 private:
  friend class DecodeStream;

  // What is taken from the whole text: up to `start` times `character` from its
  // start and up to `stop` times from its end.
  struct TextStrip {
    char character = ' ';
    std::size_t start = 0;
    std::size_t stop = 0;
  };

  void append(const JsonNode& node);
  void append_strip(const JsonNode& node);

  std::vector<std::unique_ptr<TokenRule>> rules_;
  bool fused_ = false;
  bool strips_text_ = false;
  TextStrip text_strip_;
  std::string separator_;
};

// One text being decoded. Not thread-safe; the decoder must outlive it.
class DecodeStream {
 public:
  explicit DecodeStream(const Decoder& decoder);
  // Appends what the next token adds to `text`.
  void push(std::string_view content, std::string& text);
  // Ends the text: what was held back, as it might have been its end, is
  // stripped. The next push starts another one.
  void finish();

 private:
  const Decoder* decoder_;
  bool is_first_ = true;
  std::size_t start_left_;  // characters that Strip may still take from the start
  std::size_t held_ = 0;    // characters at the end that Strip takes if nothing follows
};

}  // namespace fbt::tokenizer
