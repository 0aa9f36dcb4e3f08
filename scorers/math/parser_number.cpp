#include <algorithm>
#include <cstdlib>
#include <utility>

#include "scorers/math/parser_impl.h"
#include "scorers/math/vocabulary.h"

namespace fbt::scorers::math {

const Node* Parser::number_value(const Token& token) {
  if (token.type == TokenType::kWord) return &arena_.number(number_word(token.text).value_or(0));
  const std::size_t point = token.text.find('.');
  std::string digits = token.text;
  std::size_t decimals = 0;
  if (point != std::string::npos) {
    decimals = digits.size() - point - 1;
    digits.erase(point, 1);
  }
  if (digits.empty()) digits.push_back('0');
  const auto power_of_ten = [](std::size_t exponent) {
    mpz_class power;
    mpz_ui_pow_ui(power.get_mpz_t(), 10, exponent);
    return power;
  };
  mpq_class value(mpz_class(digits, 10), power_of_ten(decimals));
  value.canonicalize();
  if (!token.repeating.empty()) {
    // 0.d(rrr): the repeating part is rrr / (999 · 10^decimals).
    mpz_class nines = power_of_ten(token.repeating.size());
    nines -= 1;
    mpq_class tail(mpz_class(token.repeating, 10), nines * power_of_ten(decimals));
    tail.canonicalize();
    value += tail;
  }
  const mpz_class scale = power_of_ten(static_cast<std::size_t>(std::abs(token.exponent)));
  if (token.exponent >= 0) {
    value *= scale;
  } else {
    value /= scale;
  }
  const bool literal = token.repeating.empty() && token.exponent == 0;
  Node& node = arena_.make(Kind::kNumber);
  node.number = &arena_.keep(std::move(value));
  node.text = literal ? token.text : "";
  node.ellipsis = token.ellipsis;
  return &node;
}

const Node* Parser::number() {
  const Node* value = number_value(take());
  if (const Node* chosen = selections_of(value)) return chosen;
  const bool in_words = previous().type == TokenType::kWord;
  const std::size_t hyphen = peek().is_symbol('-') ? 1 : 0;  // "twenty-one", "two-thirds"
  if (in_words && *value->number >= 20 && peek(hyphen).type == TokenType::kWord) {
    const auto ones = number_word(peek(hyphen).text);
    if (ones && *ones > 0 && *ones < 10) {
      for (std::size_t i = 0; i <= hyphen; ++i) take();
      return &arena_.number(*value->number + *ones);
    }
  }
  static constexpr std::pair<const char*, int> kParts[] = {
      {"half", 2},   {"halves", 2},  {"third", 3},  {"thirds", 3}, {"quarter", 4}, {"quarters", 4},
      {"fourth", 4}, {"fourths", 4}, {"fifth", 5},  {"fifths", 5}, {"sixth", 6},   {"sixths", 6},
      {"eighth", 8}, {"eighths", 8}, {"tenth", 10}, {"tenths", 10}};
  for (const auto& [word, parts] : kParts) {
    if (!in_words || !peek(hyphen).is_word(word)) continue;
    for (std::size_t i = 0; i <= hyphen; ++i) take();
    return &arena_.make(Kind::kDivide, {value, &arena_.number(parts)});
  }
  return mixed_number(value);
}

// An integer right before a fraction of two integers is their sum.
const Node* Parser::mixed_number(const Node* whole) {
  const auto integer_at = [this](std::size_t ahead) {
    return peek(ahead).type == TokenType::kNumber &&
           peek(ahead).text.find('.') == std::string::npos;
  };
  if (whole->text.empty() || whole->text.find('.') != std::string::npos) return whole;
  if (integer_at(0) && peek(1).is_symbol('/') && integer_at(2)) {  // 7 3/4
    const Node* numerator = number_value(take());
    take();
    const Node* denominator = number_value(take());
    const Node& part = arena_.make(Kind::kDivide, {numerator, denominator});
    return &arena_.make(Kind::kAdd, {whole, &part});
  }
  if (!peek().is_command("frac") || at_unit()) return whole;
  take();
  const Node* part = fraction();
  const bool numeric = part->child(0).is(Kind::kNumber) && part->child(1).is(Kind::kNumber) &&
                       part->child(0).number->get_den() == 1 &&
                       part->child(1).number->get_den() == 1;
  if (failed_) return whole;
  if (numeric) return &arena_.make(Kind::kAdd, {whole, part});
  return &arena_.make(Kind::kMultiply, {whole, part});
}

// Digits with a base as their subscript (52_8, (52)_8, A3F_{16}), or nullptr.
const Node* Parser::based_numeral() {
  std::string digits;
  std::size_t ahead = 0;
  const bool parenthesised = peek().is_symbol('(');
  if (parenthesised) ++ahead;
  int largest = 0;
  const std::size_t first = ahead;
  for (;; ++ahead) {
    const Token& token = peek(ahead);
    if (ahead > first && token.space_before) break;
    const bool letter_digit = token.type == TokenType::kLetter && token.text.size() == 1 &&
                              token.text[0] >= 'A' && token.text[0] <= 'F';
    if (token.type != TokenType::kNumber && !letter_digit) break;
    if (!token.repeating.empty() || token.exponent != 0) return nullptr;
    digits += token.text;
    for (char c : token.text) {
      if (c != '.') largest = std::max(largest, c >= 'A' ? c - 'A' + 10 : c - '0');
    }
  }
  if (digits.empty() || digits[0] == '.') return nullptr;
  if (parenthesised && !peek(ahead++).is_symbol(')')) return nullptr;
  if (!peek(ahead).is_symbol('_')) return nullptr;
  if (ahead == 1 && peek().type == TokenType::kLetter) return nullptr;  // a variable's index
  ++ahead;
  std::size_t closers = 0;
  while (peek(ahead).is_symbol('{') || peek(ahead).is_symbol('(')) {
    ++ahead;
    ++closers;
  }
  int base = 0;
  if (peek(ahead).type == TokenType::kNumber && peek(ahead).text.size() <= 2) {
    base = std::atoi(peek(ahead).text.c_str());
  } else if (peek(ahead).type == TokenType::kWord) {
    base = number_word(peek(ahead).text).value_or(0);
  }
  ++ahead;
  if (peek(ahead).is_word("base")) ++ahead;
  for (; closers > 0; --closers, ++ahead) {
    if (!peek(ahead).is_symbol('}') && !peek(ahead).is_symbol(')')) return nullptr;
  }
  if (base < 2 || (digits.find_first_of("ABCDEF") != std::string::npos && largest >= base)) {
    return nullptr;
  }
  at_ = std::min(at_ + ahead, tokens_.size() - 1);
  Node& node = arena_.make(Kind::kBased);
  node.text = std::move(digits);
  node.number = &arena_.keep(base);
  return &node;
}

}  // namespace fbt::scorers::math
