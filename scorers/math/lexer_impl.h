#pragma once

// The lexer, shared by the files that implement it: lexer.cpp (the loop over the
// text, symbols, groups), lexer_word.cpp (runs of letters: variables, function names,
// prose), lexer_number.cpp and lexer_command.cpp (what follows a backslash).

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scorers/math/lexer.h"
#include "scorers/math/token.h"

namespace fbt::scorers::math {

inline bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
inline bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
inline char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

class Lexer {
 public:
  Lexer(std::string text, const LexerOptions& options)
      : source_(std::move(text)), text_(source_), options_(options) {}
  Lexer(const Lexer&) = delete;  // text_ points into source_
  Lexer& operator=(const Lexer&) = delete;

  TokenList run();

 private:
  // ---- the text ahead ----
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool next_is(std::string_view what) const { return text_.substr(at_).starts_with(what); }
  bool roman() const { return roman_depth_ > 0; }
  bool after_digit() const { return at_ > 0 && is_digit(text_[at_ - 1]); }
  bool after_number() const {
    return !list_.tokens.empty() && list_.tokens.back().type == TokenType::kNumber;
  }

  // ---- tokens; each function consumes what it reads ----
  Token& push(TokenType type, std::string text);
  void step();
  void symbol(char c);
  bool two_character_operator(char first);
  void brace(char c);
  void foreign();
  void drop_dots();

  // ---- letters ----
  void letters();
  void run_of_letters(std::string_view run);
  bool is_unit_of_time(std::string_view word) const;
  void variables(std::string_view run);

  // ---- numbers ----
  void number();
  // Length of a thousands separator at `offset`, or 0.
  std::size_t separator_at(std::size_t offset) const;
  std::size_t digits_at(std::size_t offset) const;
  std::string grouped_digits();
  std::string repeating_digits();

  // ---- commands ----
  void command();
  void kept_command(std::string_view written);
  void delimiter();
  void environment(const char* what);
  void open_font(char kind);
  std::string braced_name();

  std::string source_;
  std::string_view text_;
  LexerOptions options_;
  TokenList list_;
  std::size_t at_ = 0;
  std::vector<char> groups_;  // open braces: '{', 'r' roman or 'b' bold
  int roman_depth_ = 0;
  int bold_depth_ = 0;
  int bracket_depth_ = 0;
  bool roman_once_ = false;
  bool bold_once_ = false;
  bool space_ = false;
};

}  // namespace fbt::scorers::math
