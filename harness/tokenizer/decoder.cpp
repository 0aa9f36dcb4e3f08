#include "harness/tokenizer/decoder.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/utf8.h"
#include "harness/tokenizer/byte_alphabet.h"
#include "harness/tokenizer/replacement.h"

namespace fbt::tokenizer {
namespace {

constexpr std::size_t kMostStripped = 1 << 20;

// Tokens spelled in GPT-2's byte alphabet; others stay as they are.
class ByteLevel : public TokenRule {
 public:
  std::string apply(std::string token, bool) const override {
    auto bytes = unspell_bytes(token);
    return bytes ? *std::move(bytes) : token;
  }
};

// "<0x0A>" is the byte 0x0A.
class ByteFallback : public TokenRule {
 public:
  std::string apply(std::string token, bool) const override {
    if (token.size() != 6 || !token.starts_with("<0x") || token.back() != '>') return token;
    unsigned char byte = 0;
    const char* const digits = token.data() + 3;
    const auto [end, error] = std::from_chars(digits, digits + 2, byte, 16);
    if (error != std::errc() || end != digits + 2) return token;
    return std::string(1, static_cast<char>(byte));
  }
};

class Replace : public TokenRule {
 public:
  explicit Replace(const JsonNode& node) : replacement_(node) {
    if (node.at("pattern").find("Regex")) node.refuse("Replace decoder with a Regex pattern");
  }
  std::string apply(std::string token, bool) const override { return replacement_.apply(token); }

 private:
  Replacement replacement_;
};

// SentencePiece's visible spaces; those of the first token go, where the
// pre-tokenizer put one there.
class Metaspace : public TokenRule {
 public:
  explicit Metaspace(const JsonNode& node) : sign_(node.at("replacement").text()) {
    if (sign_.empty()) node.at("replacement").fail("should be one character");
    const auto scheme = node.find("prepend_scheme");
    drops_first_ = scheme ? scheme->text() != "never" : node.flag_or("add_prefix_space", true);
  }

  std::string apply(std::string token, bool is_first) const override {
    std::string text;
    for (std::size_t offset = 0; offset < token.size();) {
      if (!std::string_view(token).substr(offset).starts_with(sign_)) {
        text += token[offset++];
        continue;
      }
      if (!is_first || !drops_first_) text += ' ';
      offset += sign_.size();
    }
    return text;
  }

 private:
  std::string sign_;
  bool drops_first_;
};

// Takes up to `start` times a string from a token's start, `stop` times from its end.
class StripToken : public TokenRule {
 public:
  StripToken(std::string content, std::size_t start, std::size_t stop)
      : content_(std::move(content)), start_(start), stop_(stop) {}

  std::string apply(std::string token, bool) const override {
    std::string_view text = token;
    for (std::size_t i = 0; i < start_ && text.starts_with(content_); ++i) {
      text.remove_prefix(content_.size());
    }
    for (std::size_t i = 0; i < stop_ && text.ends_with(content_); ++i) {
      text.remove_suffix(content_.size());
    }
    return std::string(text);
  }

 private:
  std::string content_;
  std::size_t start_;
  std::size_t stop_;
};

}  // namespace

Decoder::Decoder(const JsonNode& node) {
  append(node);
}

void Decoder::append(const JsonNode& node) {
  const std::string type = node.at("type").text();
  if (type == "Sequence") {
    const JsonNode steps = node.at("decoders");
    for (std::size_t i = 0; i < steps.size(); ++i) append(steps.at(i));
  } else if (type == "Strip") {
    append_strip(node);
  } else if (fused_) {
    node.refuse(type + " decoder after Fuse");
  } else if (type == "Fuse") {
    fused_ = true;
  } else if (type == "ByteLevel") {
    rules_.push_back(std::make_unique<ByteLevel>());
  } else if (type == "ByteFallback") {
    rules_.push_back(std::make_unique<ByteFallback>());
  } else if (type == "Replace") {
    rules_.push_back(std::make_unique<Replace>(node));
  } else if (type == "Metaspace") {
    rules_.push_back(std::make_unique<Metaspace>(node));
  } else {
    node.refuse(type + " decoder");
  }
}

void Decoder::append_strip(const JsonNode& node) {
  const std::string content = node.at("content").text();
  const std::size_t start = node.at("start").number(kMostStripped);
  const std::size_t stop = node.at("stop").number(kMostStripped);
  if (count_code_points(content) != 1) node.at("content").fail("should be one character");
  if (!fused_) {
    rules_.push_back(std::make_unique<StripToken>(content, start, stop));
    return;
  }
  // A longer character could be split between two tokens.
  if (content.size() > 1) node.refuse("Strip of '" + content + "' after Fuse");
  if (strips_text_) node.refuse("second Strip decoder after Fuse");
  strips_text_ = true;
  text_strip_ = {content[0], start, stop};
}

std::string Decoder::token_bytes(std::string_view content, bool is_first) const {
  std::string token(content);
  for (const auto& rule : rules_) token = rule->apply(std::move(token), is_first);
  return token;
}

DecodeStream::DecodeStream(const Decoder& decoder)
    : decoder_(&decoder), start_left_(decoder.text_strip_.start) {}

void DecodeStream::push(std::string_view content, std::string& text) {
  if (!is_first_) text += decoder_->separator_;
  const std::string token = decoder_->token_bytes(content, is_first_);
  is_first_ = false;

  const auto& strip = decoder_->text_strip_;
  const std::size_t content_begin =
      std::min(token.find_first_not_of(strip.character), token.size());
  const std::size_t begin = std::min(start_left_, content_begin);
  start_left_ = begin == token.size() ? start_left_ - begin : 0;
  if (begin == token.size()) return;

  // What was held back is not the end after all, but what this token ends with may be.
  std::string pending(held_, strip.character);
  pending.append(token, begin);
  const std::size_t last_other = pending.find_last_not_of(strip.character);
  const std::size_t trailing =
      pending.size() - (last_other == std::string::npos ? 0 : last_other + 1);
  held_ = std::min(trailing, strip.stop);
  text.append(pending, 0, pending.size() - held_);
}

void DecodeStream::finish() {
  is_first_ = true;
  start_left_ = decoder_->text_strip_.start;
  held_ = 0;
}

}  // namespace fbt::tokenizer
