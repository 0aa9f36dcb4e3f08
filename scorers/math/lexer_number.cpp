#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

#include "scorers/math/lexer_impl.h"

namespace fbt::scorers::math {

// Length of a thousands separator at `offset`, or 0.
std::size_t Lexer::separator_at(std::size_t offset) const {
  static constexpr std::string_view kSeparators[] = {
      "{,}\\!", "{,}", ",\\!", ",\\,", "\\,", "{\\,}", "\\ ", "\\;", "\\:", "~", "'", ","};
  const std::string_view rest = text_.substr(offset);
  for (std::string_view separator : kSeparators) {
    if (!rest.starts_with(separator)) continue;
    if (separator == "," && (bracket_depth_ > 0 || options_.comma_always_separates)) return 0;
    std::size_t length = separator.size();
    if (separator.ends_with('!')) {
      while (length < rest.size() && rest[length] == ' ') ++length;
    }
    return length;
  }
  return rest.starts_with(' ') && !roman() ? 1 : 0;
}

std::size_t Lexer::digits_at(std::size_t offset) const {
  std::size_t end = offset;
  while (end < text_.size() && is_digit(text_[end])) ++end;
  return end - offset;
}

// The integer part, thousands separators taken out.
std::string Lexer::grouped_digits() {
  const std::size_t first = digits_at(at_);
  std::string digits(text_.substr(at_, first));
  const std::size_t ungrouped_end = at_ + first;
  at_ = ungrouped_end;
  if (first == 0 || first > 3 || digits[0] == '0') return digits;
  const std::string ungrouped = digits;
  bool comma = false;
  while (true) {
    const std::size_t separator = separator_at(at_);
    if (separator == 0 || digits_at(at_ + separator) != 3) break;
    comma = comma || (separator == 1 && peek() == ',');
    digits += text_.substr(at_ + separator, 3);
    at_ += separator + 3;
  }
  // "1,234,56" is no grouped number, and "7 100/3" is a mixed one.
  const bool broken = (comma && peek() == ',' && is_digit(peek(1))) ||
                      (peek() == '/' && text_[ungrouped_end] == ' ');
  if (broken && at_ != ungrouped_end) {
    at_ = ungrouped_end;
    return ungrouped;
  }
  if (comma) list_.plain_comma_in_number = true;
  return digits;
}

// The digits of \overline{ddd}, \bar{d} or \dot{d} at the position, or empty.
std::string Lexer::repeating_digits() {
  if (text_[at_ - 1] == '.' && peek() == '(') {  // 0.(3)
    const std::size_t length = digits_at(at_ + 1);
    if (peek(length + 1) != ')') return "";
    std::string digits(text_.substr(at_ + 1, length));
    at_ += length + 2;
    return digits;
  }
  for (std::string_view name : {"\\overline", "\\bar", "\\dot"}) {
    if (!next_is(name)) continue;
    std::size_t start = at_ + name.size();
    while (start < text_.size() && text_[start] == ' ') ++start;
    const bool braced = start < text_.size() && text_[start] == '{';
    if (braced) ++start;
    const std::size_t length =
        braced ? digits_at(start) : std::min<std::size_t>(1, digits_at(start));
    const std::size_t end = start + length;
    if (length == 0 || (braced && (end >= text_.size() || text_[end] != '}'))) return "";
    at_ = end + (braced ? 1 : 0);
    return std::string(text_.substr(start, length));
  }
  return "";
}

void Lexer::number() {
  std::string digits = grouped_digits();
  std::string repeating;
  const bool decimal =
      peek() == '.' && (is_digit(peek(1)) || next_is(".\\overline") || next_is(".\\bar") ||
                        next_is(".\\dot") || (next_is(".(") && is_digit(peek(2))));
  if (decimal) {
    ++at_;
    const std::size_t length = digits_at(at_);
    digits += '.';
    digits += text_.substr(at_, length);
    at_ += length;
    repeating = repeating_digits();
  }
  int exponent = 0;
  if (lower(peek()) == 'e') {
    const std::size_t sign = peek(1) == '-' || peek(1) == '+' ? 1 : 0;
    const std::size_t length = digits_at(at_ + 1 + sign);
    if (length > 0 && length <= 5 && !is_letter(peek(1 + sign + length))) {
      exponent = std::atoi(std::string(text_.substr(at_ + 1 + sign, length)).c_str());
      if (peek(1) == '-') exponent = -exponent;
      at_ += 1 + sign + length;
    }
  }
  bool ellipsis = false;
  for (std::string_view dots : {"...", "\\ldots", "\\dots", "\\cdots"}) {
    if (!decimal || !next_is(dots)) continue;
    ellipsis = true;
    at_ += dots.size();
    break;
  }
  Token& token = push(TokenType::kNumber, std::move(digits));
  token.repeating = std::move(repeating);
  token.exponent = exponent;
  token.ellipsis = ellipsis;
}

}  // namespace fbt::scorers::math
