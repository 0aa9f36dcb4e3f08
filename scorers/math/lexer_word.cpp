#include <algorithm>
#include <string>

#include "scorers/math/lexer_impl.h"
#include "scorers/math/vocabulary.h"

namespace fbt::scorers::math {

namespace {

std::string lowered(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = lower(c);
  return result;
}

// "sinx" and "cosx" are no prose.
bool starts_with_function(std::string_view run) {
  for (std::size_t length = run.size() - 1; length >= 2; --length) {
    if (is_command_word(run.substr(0, length))) return run.size() - length <= 1;
  }
  return false;
}

}  // namespace

void Lexer::letters() {
  const bool half_day = (lower(peek()) == 'a' || lower(peek()) == 'p') && peek(1) == '.' &&
                        lower(peek(2)) == 'm' && !is_letter(peek(3));
  if (half_day) {
    push(TokenType::kWord, lower(peek()) == 'a' ? "am" : "pm");
    at_ += peek(3) == '.' ? 4 : 3;
    return;
  }
  const std::size_t start = at_;
  while (is_letter(peek())) ++at_;
  run_of_letters(text_.substr(start, at_ - start));
}

void Lexer::run_of_letters(std::string_view run) {
  const std::string small = lowered(run);
  if (run.size() > 1 && is_command_word(small) && !is_unit_of_time(small)) {
    const std::string_view name = small == "sqrt" ? "surd" : canonical_command(small);
    push(TokenType::kCommand, std::string(name));
    return;
  }
  // "NO" and "dM" are prose only where nothing else stands or after a number.
  const bool two_capitals = run.size() == 2 && run[1] < 'a' && !after_number() &&
                            !(list_.tokens.empty() && at_ == text_.size());
  const bool in_text = roman() || roman_once_;
  if (in_text && (run == "Re" || run == "Im")) {
    push(TokenType::kCommand, std::string(run));
    return;
  }
  const bool numeral = next_is("}_") && std::all_of(run.begin(), run.end(), [](char c) {
                         return c >= 'A' && c <= 'F';
                       });  // \text{BAD}_{16}
  const bool prose =
      run.size() > 1 && !numeral && (in_text || (is_prose(run, space_) && !two_capitals));
  if (!prose) return variables(run);
  if (!in_text && starts_with_function(small)) return variables(run);
  push(TokenType::kWord, small);
}

// "10 min" and "5 sec", but "min(a, b)" and "sec x".
bool Lexer::is_unit_of_time(std::string_view word) const {
  if (word != "min" && word != "sec") return false;
  std::size_t next = at_;
  while (next < text_.size() && text_[next] == ' ') ++next;
  const char following = next < text_.size() ? text_[next] : '\0';
  const bool applied = following == '(' || following == '\\' || following == '^' ||
                       is_letter(following) || following == '{';
  return roman() ? following != '(' : !applied && after_number();
}

void Lexer::variables(std::string_view run) {
  for (std::size_t length = run.size(); length >= 3; --length) {
    const std::string head = lowered(run.substr(0, length));
    if (length < run.size() && is_command_word(head)) {
      push(TokenType::kCommand, std::string(head == "sqrt" ? "surd" : canonical_command(head)));
      return variables(run.substr(length));
    }
  }
  const bool name = run.size() >= 3 && std::all_of(run.begin(), run.end(),
                                                   [](char c) { return c >= 'A' && c <= 'Z'; });
  if (name) {
    push(TokenType::kLetter, std::string(run));
    return;
  }
  for (char c : run) push(TokenType::kLetter, std::string(1, c));
}

}  // namespace fbt::scorers::math
