#include "harness/tokenizer/normalizer.h"

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include <utf8proc.h>

#include "base/error.h"
#include "base/utf8.h"
#include "harness/tokenizer/replacement.h"
#include "harness/tokenizer/unicode_classes.h"

namespace fbt::tokenizer {
namespace {

// Unicode normalization forms (UAX #15).
class UnicodeForm : public Normalizer {
 public:
  explicit UnicodeForm(int options) : options_(static_cast<utf8proc_option_t>(options)) {}

  std::string normalize(std::string text) const override {
    // ASCII is in every form.
    if (std::all_of(text.begin(), text.end(), [](char c) { return (c & 0x80) == 0; })) return text;
    utf8proc_uint8_t* mapped = nullptr;
    const utf8proc_ssize_t size =
        utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                     static_cast<utf8proc_ssize_t>(text.size()), &mapped, options_);
    const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(mapped, &std::free);
    if (size < 0) {
      throw EnvironmentError(std::string("Unicode normalization fails: ") + utf8proc_errmsg(size));
    }
    return std::string(reinterpret_cast<const char*>(mapped), static_cast<std::size_t>(size));
  }

 private:
  utf8proc_option_t options_;
};

class Prepend : public Normalizer {
 public:
  explicit Prepend(std::string prefix) : prefix_(std::move(prefix)) {}
  std::string normalize(std::string text) const override {
    return text.empty() ? text : prefix_ + text;
  }

 private:
  std::string prefix_;
};

class Replace : public Normalizer {
 public:
  explicit Replace(const JsonNode& node) : replacement_(node) {}
  std::string normalize(std::string text) const override { return replacement_.apply(text); }

 private:
  Replacement replacement_;
};

class Strip : public Normalizer {
 public:
  Strip(bool left, bool right) : left_(left), right_(right) {}

  std::string normalize(std::string text) const override {
    std::size_t first_kept = text.size();  // the first character that is no white space
    std::size_t past_kept = 0;             // the end of the last such
    for (std::size_t offset = 0; offset < text.size();) {
      const std::size_t begin = offset;
      if (is_white_space(next_code_point(text, offset))) continue;
      first_kept = std::min(first_kept, begin);
      past_kept = offset;
    }
    if (past_kept == 0) return left_ || right_ ? "" : text;
    const std::size_t begin = left_ ? first_kept : 0;
    const std::size_t end = right_ ? past_kept : text.size();
    return text.substr(begin, end - begin);
  }

 private:
  bool left_;
  bool right_;
};

class Sequence : public Normalizer {
 public:
  explicit Sequence(const JsonNode& steps) {
    for (std::size_t i = 0; i < steps.size(); ++i) steps_.push_back(make_normalizer(steps.at(i)));
  }
  std::string normalize(std::string text) const override {
    for (const auto& step : steps_) text = step->normalize(std::move(text));
    return text;
  }

 private:
  std::vector<std::unique_ptr<Normalizer>> steps_;
};

}  // namespace

std::unique_ptr<Normalizer> make_normalizer(const JsonNode& node) {
  const std::string type = node.at("type").text();
  constexpr int kComposed = UTF8PROC_STABLE | UTF8PROC_COMPOSE;
  constexpr int kDecomposed = UTF8PROC_STABLE | UTF8PROC_DECOMPOSE;
  if (type == "NFC") return std::make_unique<UnicodeForm>(kComposed);
  if (type == "NFD") return std::make_unique<UnicodeForm>(kDecomposed);
  if (type == "NFKC") return std::make_unique<UnicodeForm>(kComposed | UTF8PROC_COMPAT);
  if (type == "NFKD") return std::make_unique<UnicodeForm>(kDecomposed | UTF8PROC_COMPAT);
  if (type == "Prepend") return std::make_unique<Prepend>(node.at("prepend").text());
  if (type == "Replace") return std::make_unique<Replace>(node);
  if (type == "Strip") {
    return std::make_unique<Strip>(node.flag_or("strip_left", true),
                                   node.flag_or("strip_right", true));
  }
  if (type == "Sequence") return std::make_unique<Sequence>(node.at("normalizers"));
  node.refuse(type + " normalizer");
}

}  // namespace fbt::tokenizer
