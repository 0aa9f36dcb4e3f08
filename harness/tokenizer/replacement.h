#pragma once

// "Replace" of normalizers and decoders: every match of a pattern becomes a
// fixed text.

#include <string>
#include <string_view>

#include "harness/tokenizer/json_node.h"
#include "harness/tokenizer/regex.h"

namespace fbt::tokenizer {

// {"String": "…"} or {"Regex": "…"} as a pattern. Throws InputError.
Regex make_pattern(const JsonNode& node);

class Replacement {
 public:
  // Reads "pattern" and "content" of `node`. Throws InputError.
  explicit Replacement(const JsonNode& node);
  std::string apply(std::string_view text) const;

 private:
  Regex pattern_;
  std::string content_;
};

}  // namespace fbt::tokenizer
