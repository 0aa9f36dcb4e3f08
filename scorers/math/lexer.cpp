#include "scorers/math/lexer.h"

#include <string>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "scorers/math/lexer_impl.h"
#include "scorers/math/transliterate.h"

namespace fbt::scorers::math {

TokenList Lexer::run() {
  while (at_ < text_.size()) step();
  drop_dots();
  push(TokenType::kEnd, "");
  return std::move(list_);
}

Token& Lexer::push(TokenType type, std::string text) {
  Token token;
  token.type = type;
  token.text = std::move(text);
  token.space_before = space_;
  token.roman = roman() || roman_once_;
  token.bold = bold_depth_ > 0 || bold_once_;
  space_ = roman_once_ = bold_once_ = false;
  list_.tokens.push_back(std::move(token));
  return list_.tokens.back();
}

void Lexer::symbol(char c) {
  if (c == '(' || c == '[') ++bracket_depth_;
  if ((c == ')' || c == ']') && bracket_depth_ > 0) --bracket_depth_;
  push(TokenType::kSymbol, std::string(1, c));
}

void Lexer::step() {
  const char c = peek();
  if (c == '\\') return command();
  if (is_digit(c) || (c == '.' && is_digit(peek(1)) && !after_digit())) return number();
  if (c == '.' && next_is(".\\overline")) return number();
  if (is_letter(c)) return letters();
  if (static_cast<unsigned char>(c) >= 0x80) return foreign();
  if (c == '{' || c == '}') return brace(c);
  ++at_;
  switch (c) {
    case ' ':
    case '\t':
    case '\n':
    case '\r':
    case '~':
      space_ = true;
      return;
    case '$':
    case '"':
    case '`':
      return;
    case '.':
      if (next_is("..")) {
        at_ += 2;
        push(TokenType::kCommand, "dots");
        return;
      }
      break;
    case '*':
      if (peek() == '*') {
        ++at_;
        return symbol('^');
      }
      break;
    case '<':
    case '>':
    case '!':
    case '=':
    case '-':
      if (two_character_operator(c)) return;
      break;
    default:
      break;
  }
  symbol(c);
}

bool Lexer::two_character_operator(char first) {
  const char second = peek();
  const char* name = nullptr;
  if (first == '<' && second == '=') name = "le";
  if (first == '>' && second == '=') name = "ge";
  if (first == '!' && second == '=') name = "ne";
  if (first == '-' && second == '>') name = "to";
  if (first == '=' && second == '=') {
    ++at_;
    symbol('=');
    return true;
  }
  if (name == nullptr) return false;
  ++at_;
  push(TokenType::kCommand, name);
  return true;
}

// Roman and bold groups leave no braces in the token stream.
void Lexer::brace(char c) {
  ++at_;
  if (c == '{') {
    groups_.push_back('{');
    return symbol('{');
  }
  if (groups_.empty()) return symbol('}');
  const char kind = groups_.back();
  groups_.pop_back();
  if (kind == 'r') {
    --roman_depth_;
  } else if (kind == 'b') {
    --bold_depth_;
  } else {
    symbol('}');
  }
}

void Lexer::foreign() {
  const std::size_t start = at_;
  next_code_point(text_, at_);
  push(TokenType::kWord, std::string(text_.substr(start, at_ - start)));
}

// A final dot and the dots of abbreviations mean nothing; any other stays and
// makes the parser fail.
void Lexer::drop_dots() {
  std::vector<Token>& tokens = list_.tokens;
  std::vector<Token> kept;
  kept.reserve(tokens.size() + 1);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const bool dot = tokens[i].is_symbol('.');
    const bool droppable =
        dot && !kept.empty() &&
        (i + 1 == tokens.size() || tokens[i].roman || kept.back().type == TokenType::kWord ||
         tokens[i + 1].type == TokenType::kWord || tokens[i + 1].is_symbol('.'));
    if (!droppable) kept.push_back(std::move(tokens[i]));
  }
  tokens = std::move(kept);
}

TokenList tokenize(std::string_view text, const LexerOptions& options) {
  if (text.size() > kMaxAnswerLength) {
    TokenList list;
    list.failed = true;
    list.tokens.emplace_back();
    return list;
  }
  return Lexer(transliterate(text), options).run();
}

}  // namespace fbt::scorers::math
