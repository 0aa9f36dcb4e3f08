#pragma once

// Tokens of a LaTeX answer, after everything that only changes its looks
// (spacing, sizes, fonts, \left and \right, $ signs) has been dropped.

#include <cstdint>
#include <string>
#include <vector>

namespace fbt::scorers::math {

enum class TokenType : std::uint8_t {
  kNumber,   // digits with an optional decimal point; separators removed
  kLetter,   // a variable: one letter, or a run of capitals that is a name
  kWord,     // two or more letters of prose, or one foreign character
  kCommand,  // LaTeX command without its backslash, synonyms merged ("frac")
  kSymbol,   // one ASCII punctuation character
  kEnd,
};

struct Token {
  TokenType type = TokenType::kEnd;
  std::string text;
  // kNumber only: the repeating digits after `text` ("3" in 0.\overline{3}), the
  // power of ten of scientific notation, and whether "…" follows the digits.
  std::string repeating;
  int exponent = 0;
  bool ellipsis = false;

  bool space_before = false;
  bool roman = false;  // inside \text{…} or the like
  bool bold = false;   // inside \mathbf{…} or the like

  bool is_symbol(char c) const { return type == TokenType::kSymbol && text[0] == c; }
  bool is_command(const char* name) const { return type == TokenType::kCommand && text == name; }
  bool is_word(const char* word) const { return type == TokenType::kWord && text == word; }
};

struct TokenList {
  std::vector<Token> tokens;           // ends with one kEnd
  bool currency = false;               // a currency sign was dropped
  bool plain_comma_in_number = false;  // "1,234" was read as one number
  bool failed = false;                 // too long, or malformed beyond repair
};

}  // namespace fbt::scorers::math
