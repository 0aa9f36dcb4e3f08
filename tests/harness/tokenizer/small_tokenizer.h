#pragma once

// Small tokenizers for tests: parts of a tokenizer.json put together.

#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "harness/tokenizer/tokenizer.h"

namespace fbt::testing {

// A byte-level model that knows every byte as token 0…255 and merges "ab"
// (256), " a" (257) and " ab" (258).
nlohmann::json byte_level_json();

// A character-level model with byte fallback: <unk> 0, <s> 1, </s> 2, the bytes
// 3…258, then ▁, a, b, é, ▁a, ab, ▁ab; spaces spelled as ▁, one put in front.
nlohmann::json byte_fallback_json();

// An entry of added_tokens; `extra` overrides its keys.
nlohmann::json added_token(unsigned id, const std::string& content,
                           const nlohmann::json& extra = nlohmann::json::object());

inline Tokenizer make_tokenizer(const nlohmann::json& json) {
  return Tokenizer::from_json(json.dump(), "small.json");
}

}  // namespace fbt::testing
