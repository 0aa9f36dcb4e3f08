#include <algorithm>
#include <iterator>
#include <string>

#include "scorers/math/lexer_impl.h"
#include "scorers/math/vocabulary.h"

namespace fbt::scorers::math {

// "{name}" at the position: its content; the position moves past it.
std::string Lexer::braced_name() {
  while (peek() == ' ') ++at_;
  if (peek() != '{') {
    if (peek() == '\0') return "";
    return std::string(1, text_[at_++]);
  }
  const std::size_t close = text_.find('}', at_);
  if (close == std::string_view::npos) {
    at_ = text_.size();
    return "";
  }
  std::string name(text_.substr(at_ + 1, close - at_ - 1));
  at_ = close + 1;
  return name;
}

void Lexer::open_font(char kind) {
  while (peek() == ' ' || peek() == '*') ++at_;
  if (peek() == '{') {
    ++at_;
    groups_.push_back(kind);
    ++(kind == 'r' ? roman_depth_ : bold_depth_);
  } else {
    (kind == 'r' ? roman_once_ : bold_once_) = true;
  }
}

void Lexer::environment(const char* what) {
  const std::string name = braced_name();
  static constexpr std::string_view kMatrices[] = {"matrix",  "pmatrix", "bmatrix", "Bmatrix",
                                                   "vmatrix", "Vmatrix", "array",   "smallmatrix",
                                                   "cases",   "tabular"};
  const bool kept =
      std::find(std::begin(kMatrices), std::end(kMatrices), name) != std::end(kMatrices);
  if (!kept) return;
  if (what[0] == 'b' && (name == "array" || name == "tabular")) {
    if (peek() == '[') at_ = std::min(text_.find(']', at_), text_.size() - 1) + 1;
    braced_name();  // the columns' alignment
  }
  push(TokenType::kCommand, std::string(what) + ":" + name);
}

void Lexer::command() {
  ++at_;
  const std::size_t start = at_;
  if (is_letter(peek())) {
    while (is_letter(peek())) ++at_;
  } else if (at_ < text_.size()) {
    ++at_;
  }
  const std::string_view written = text_.substr(start, at_ - start);
  switch (command_role(written)) {
    case CommandRole::kSpace:
      if (written != "!") space_ = true;
      if (written == "left" || written == "right") delimiter();
      return;
    case CommandRole::kSkipArgument:
      braced_name();
      return;
    case CommandRole::kRoman:
      return open_font('r');
    case CommandRole::kBold:
      return open_font('b');
    case CommandRole::kGroup:
      return;
    case CommandRole::kCurrency:
      list_.currency = true;
      return;
    case CommandRole::kKeep:
      return kept_command(written);
  }
}

// \left. and \right. draw nothing; \left< is an angle bracket.
void Lexer::delimiter() {
  while (peek() == ' ') ++at_;
  if (peek() == '.') {
    ++at_;
  } else if (peek() == '<' || peek() == '>') {
    push(TokenType::kCommand, text_[at_++] == '<' ? "langle" : "rangle");
  }
}

void Lexer::kept_command(std::string_view written) {
  if (written == "begin") return environment("begin");
  if (written == "end") return environment("end");
  if (written == "{" || written == "}") {
    if (written == "{") ++bracket_depth_;
    if (written == "}" && bracket_depth_ > 0) --bracket_depth_;
    push(TokenType::kCommand, std::string(written));
    return;
  }
  if (written == "not") {
    while (peek() == ' ') ++at_;
    if (peek() == '=') {
      ++at_;
      push(TokenType::kCommand, "ne");
      return;
    }
    push(TokenType::kCommand, "not");
    return;
  }
  const std::string_view name = canonical_command(written);
  if (name == "mathbb" || name == "mathcal" || name == "mathfrak" || name == "mathscr") {
    const std::string argument = braced_name();
    push(TokenType::kCommand, std::string(name) + " " + argument);
    return;
  }
  if (name.size() == 1 && !is_letter(name[0]) && name[0] != '\\') {
    if (name == "{" || name == "}") {
      push(TokenType::kCommand, std::string(name));
    } else {
      symbol(name[0]);
    }
    return;
  }
  push(TokenType::kCommand, std::string(name));
}

}  // namespace fbt::scorers::math
