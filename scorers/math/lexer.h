#pragma once

// LaTeX (or plain text) to tokens.

#include <string_view>

#include "scorers/math/token.h"

namespace fbt::scorers::math {

struct LexerOptions {
  // Read "1,234" as two numbers; by default it is one, outside brackets.
  bool comma_always_separates = false;
};

// Longer answers are not read at all (TokenList::failed).
inline constexpr std::size_t kMaxAnswerLength = 10000;

// Any bytes are safe. Words are lower-cased.
TokenList tokenize(std::string_view text, const LexerOptions& options = {});

}  // namespace fbt::scorers::math
