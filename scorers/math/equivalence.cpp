#include "scorers/math/equivalence.h"

#include <algorithm>
#include <cctype>
#include <string>

#include "scorers/math/comparer.h"
#include "scorers/math/ellipsis.h"
#include "scorers/math/lexer.h"
#include "scorers/math/parser.h"

namespace fbt::scorers::math {

namespace {

std::string_view trimmed(std::string_view text) {
  const auto is_space = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

// Marks around an answer that are no part of it.
std::string_view tidy(std::string_view text) {
  text = trimmed(text);
  const auto ends_with_mark = [&text] {
    const bool mark = text.ends_with(',') || text.ends_with(';') || text.ends_with(':');
    return mark && !(text.size() > 1 && text[text.size() - 2] == '\\');  // "\," is a space
  };
  while (ends_with_mark()) text = trimmed(text.substr(0, text.size() - 1));
  for (const std::string_view sign : {"=", "\\approx", "≈"}) {
    if (text.starts_with(sign)) text = trimmed(text.substr(sign.size()));
  }
  // "A)": a choice with half of its parentheses.
  const bool half =
      text.size() == 2 && text[1] == ')' && std::isalpha(static_cast<unsigned char>(text[0]));
  return half ? text.substr(0, 1) : text;
}

// The tokens in a row, for answers that are no mathematics known here. Empty where
// there is nothing but punctuation.
std::string token_text(const TokenList& list) {
  std::string text;
  bool content = false;
  const std::vector<Token>& tokens = list.tokens;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (token.type == TokenType::kEnd) break;
    // Braces around one token group nothing.
    const bool opens =
        token.is_symbol('{') && i + 2 < tokens.size() && tokens[i + 2].is_symbol('}');
    const bool closes = token.is_symbol('}') && i >= 2 && tokens[i - 2].is_symbol('{');
    if (opens || closes) continue;
    if (i == 0 && (token.is_word("the") || token.is_word("an"))) continue;
    if (token.type == TokenType::kCommand) text += '\\';
    text += token.text;
    text += ' ';
    content = content || token.type != TokenType::kSymbol;
  }
  return content ? text : "";
}

// "(C) 12", "C: twelve", "C) 12": the letter of a choice before its text, or '\0'.
char leading_choice(const TokenList& list) {
  const std::vector<Token>& tokens = list.tokens;
  const bool open = tokens[0].is_symbol('(');
  const std::size_t at = open ? 1 : 0;
  if (at + 2 >= tokens.size()) return '\0';
  const Token& letter = tokens[at];
  const bool choice = letter.type == TokenType::kLetter && letter.text.size() == 1 &&
                      letter.text[0] >= 'A' && letter.text[0] <= 'J';
  const Token& mark = tokens[at + 1];
  const bool marked =
      mark.is_symbol(')') || (!open && (mark.is_symbol(':') || mark.is_symbol('.')));
  const bool more = tokens[at + 2].type != TokenType::kEnd;
  return choice && marked && more ? letter.text[0] : '\0';
}

// The answer without the letter in "\\textbf{(C) } 12"; nullptr where it has none.
const Node* after_choice(const TokenList& list, Arena& arena) {
  const bool set_apart = list.tokens.size() > 3 && list.tokens[0].is_symbol('(') &&
                         (list.tokens[1].roman || list.tokens[1].bold);
  if (!set_apart || leading_choice(list) == '\0') return nullptr;
  TokenList rest = list;
  rest.tokens.erase(rest.tokens.begin(), rest.tokens.begin() + 3);
  return parse_answer(rest, arena);
}

bool is_choice(const Node& node, char letter) {
  return node.is(Kind::kVariable) && node.text.size() == 1 && node.text[0] == letter;
}

struct Reading {
  TokenList tokens;
  const Node* root = nullptr;
};

Reading read(std::string_view text, bool comma_separates, Arena& arena, Budget& budget) {
  Reading reading;
  reading.tokens = tokenize(text, {.comma_always_separates = comma_separates});
  reading.root = parse_answer(reading.tokens, arena);
  const bool amount = reading.tokens.currency && reading.root != nullptr &&
                      (reading.root->is(Kind::kNumber) || reading.root->is(Kind::kNegate));
  if (amount) reading.root = &arena.make(Kind::kQuantity, {reading.root}, "dollars");
  if (reading.root != nullptr) reading.root = &without_ellipses(*reading.root, arena, budget);
  return reading;
}

bool is_several(const Node& node) {
  return node.is(Kind::kList) || node.is(Kind::kSet);
}

}  // namespace

Verdict equivalent(std::string_view gold, std::string_view predicted) {
  gold = tidy(gold);
  predicted = tidy(predicted);
  if (gold.empty() || predicted.empty()) return {false, "empty"};
  if (gold == predicted) return {true, "identical"};

  Arena arena;
  Budget budget;
  const Reading left = read(gold, false, arena, budget);
  const Reading right = read(predicted, false, arena, budget);
  if (left.tokens.failed || right.tokens.failed) return {false, "undecided"};
  const std::string left_text = token_text(left.tokens);
  if (!left_text.empty() && left_text == token_text(right.tokens)) return {true, "text"};
  const auto is_choice_of = [](const Reading& choice, const Reading& other) {
    const char letter = leading_choice(other.tokens);
    return letter != '\0' && choice.root != nullptr && is_choice(*choice.root, letter);
  };
  if (is_choice_of(left, right) || is_choice_of(right, left)) return {true, "choice"};
  const auto matches_after_choice = [&](const Reading& choice, const Reading& other) {
    const Node* rest = after_choice(choice.tokens, arena);
    return rest != nullptr && other.root != nullptr &&
           Comparer(arena, budget).compare(*rest, *other.root).equal();
  };
  if (matches_after_choice(left, right) || matches_after_choice(right, left)) {
    return {true, "choice"};
  }
  if (left.root == nullptr || right.root == nullptr) return {false, "undecided"};

  // $5 is not 5%.
  if ((left.tokens.currency && right.root->is(Kind::kPercent)) ||
      (right.tokens.currency && left.root->is(Kind::kPercent))) {
    return {false, "currency"};
  }
  Comparer comparer(arena, budget);
  const Outcome outcome = comparer.compare(*left.root, *right.root);
  if (outcome.equal()) return {true, outcome.rule};

  // "-125,343" is one number, unless the other side is a list.
  const auto as_list = [&](std::string_view text, const Reading& ambiguous, const Reading& other) {
    if (!ambiguous.tokens.plain_comma_in_number || !is_several(*other.root)) return false;
    Budget again;
    const Reading list = read(text, true, arena, again);
    const bool leading_zero =
        std::any_of(list.tokens.tokens.begin(), list.tokens.tokens.end(), [](const Token& token) {
          return token.type == TokenType::kNumber && token.text.size() > 1 &&
                 token.text[0] == '0' && token.text[1] != '.';
        });
    if (list.root == nullptr || leading_zero) return false;
    return Comparer(arena, again).compare(*list.root, *other.root).equal();
  };
  if (as_list(gold, left, right) || as_list(predicted, right, left)) return {true, "list"};
  const bool unread = has_ellipsis(*left.root) || has_ellipsis(*right.root);
  const bool undecided = unread || outcome.comparison == Comparison::kUndecided;
  return {false, undecided ? "undecided" : outcome.rule};
}

}  // namespace fbt::scorers::math
