#pragma once

// Tokenization that remembers: the requests of one document name the same texts
// again and again (its choices share a context, its modes share everything).

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "harness/decode/request_tokens.h"

namespace fbt {

// Not thread-safe.
class EncodeMemo {
 public:
  // `text` must outlive the object.
  explicit EncodeMemo(const TextTokens& text) : text_(text) {}

  const TextTokens& text() const { return text_; }

  // text().encode(string). The reference is good until the next call.
  const std::vector<int>& encode(std::string_view string);

 private:
  const TextTokens& text_;
  std::unordered_map<std::string, std::vector<int>> known_;
};

}  // namespace fbt
