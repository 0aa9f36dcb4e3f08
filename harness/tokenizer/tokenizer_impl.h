#pragma once

// What a Tokenizer holds. For the tokenizer's own files only.

#include <string>

#include "harness/tokenizer/tokenizer.h"
#include "harness/tokenizer/tokenizer_json.h"

namespace fbt {

struct Tokenizer::Impl {
  tokenizer::Parts parts;

  // The content to decode, or null where the id gives nothing.
  const std::string* content(int id, bool skip_special) const {
    if (!parts.vocabulary->has(id) || (skip_special && parts.added.is_special(id))) return nullptr;
    return &parts.vocabulary->content(id);
  }
};

}  // namespace fbt
