// Notations with a shape of their own: scripts before a letter, probabilities,
// compositions, piecewise functions.

#include <algorithm>
#include <iterator>

#include "scorers/math/parser_impl.h"

namespace fbt::scorers::math {

namespace {

bool opens(const Token& token) {
  return token.is_symbol('(') || token.is_symbol('[') || token.is_symbol('{') ||
         token.is_command("{");
}

bool closes(const Token& token) {
  return token.is_symbol(')') || token.is_symbol(']') || token.is_symbol('}') ||
         token.is_command("}");
}

}  // namespace

// Tokens from the bracket that comes next to the one that closes it, both counted; 0
// where there is none.
std::size_t Parser::group_length() const {
  if (!opens(peek())) return 0;
  int nesting = 0;
  for (std::size_t i = 0; at_ + i + 1 < tokens_.size(); ++i) {
    if (opens(peek(i))) ++nesting;
    if (closes(peek(i)) && --nesting == 0) return i + 1;
  }
  return 0;
}

// n things of which k are chosen ("C") or arranged ("P").
const Node* Parser::selections(const Node* n, bool arranged, const Node* k) {
  if (!arranged) return &arena_.make(Kind::kFunction, {n, k}, "binom");
  const Node& rest = arena_.make(Kind::kSubtract, {n, k});
  return &arena_.make(Kind::kDivide, {&arena_.make(Kind::kFunction, {n}, "factorial"),
                                      &arena_.make(Kind::kFunction, {&rest}, "factorial")});
}

// {}_5C_2, ^6P_2: a script before the letter.
const Node* Parser::selections_with_scripts() {
  if (accept_symbol('{')) expect_symbol('}');
  if (!accept_symbol('_')) expect_symbol('^');
  const Node* n = argument();
  const Token letter = take();
  const bool arranged = letter.text == "P";
  if (letter.type != TokenType::kLetter || (!arranged && letter.text != "C")) return fail();
  expect_symbol('_');
  return selections(n, arranged, argument());
}

// After the 5 of 5C2; nullptr where there is no such thing.
const Node* Parser::selections_of(const Node* n) {
  const Token& letter = peek();
  const Token& last = peek(1);
  const bool written = letter.type == TokenType::kLetter &&
                       (letter.text == "C" || letter.text == "P") && !letter.space_before &&
                       last.type == TokenType::kNumber && !last.space_before;
  if (!written) return nullptr;
  const bool arranged = take().text == "P";
  return selections(n, arranged, number_value(take()));
}

// Whether the brackets that come next hold an event, no factor: P(X > 2), P(A|B),
// P(two heads).
bool Parser::holds_event() const {
  const std::size_t length = group_length();
  static constexpr const char* kCommands[] = {"le", "ge", "ne", "cap", "cup", "in", "approx"};
  for (std::size_t i = 1; i + 1 < length; ++i) {
    const Token& token = peek(i);
    const bool command = std::any_of(std::begin(kCommands), std::end(kCommands),
                                     [&](const char* name) { return token.is_command(name); });
    if (command || token.type == TokenType::kWord || token.is_symbol('=') || token.is_symbol('<') ||
        token.is_symbol('>') || token.is_symbol('|')) {
      return true;
    }
  }
  return false;
}

// The brackets become a part of the name.
const Node* Parser::name_with_brackets(std::string name) {
  for (std::size_t left = group_length(); left > 0; --left) name += take().text;
  return &arena_.make(Kind::kVariable, {}, std::move(name));
}

// (f \circ g)(x) at its first bracket: the call of a function; nullptr elsewhere.
const Node* Parser::composition() {
  const std::size_t length = group_length();
  if (length < 5 || length % 2 == 0 || !peek(length).is_symbol('(')) return nullptr;
  for (std::size_t i = 1; i + 1 < length; ++i) {
    const bool right = i % 2 == 1 ? peek(i).type == TokenType::kLetter : peek(i).is_command("circ");
    if (!right) return nullptr;
  }
  std::string name;
  for (std::size_t i = 0; i < length; ++i) name += take().text;
  expect_symbol('(');
  const Node* argument = sum();
  expect_symbol(')');
  return &arena_.make(Kind::kApply, {argument}, std::move(name));
}

// The condition of a piece: "if x > 0", "for 0 < x, x ≠ 1".
const Node* Parser::condition() {
  static constexpr const char* kWords[] = {"if", "for", "when", "where"};
  for (const char* word : kWords) {
    if (peek().is_word(word)) take();
  }
  std::vector<const Node*> parts = {item()};
  while (accept_symbol(',') || peek().is_word("and")) {
    if (peek().is_word("and")) take();
    parts.push_back(item());
  }
  if (parts.size() == 1) return parts[0];
  return &arena_.make(Kind::kList, std::move(parts), "and");
}

// After \begin{cases}: rows "value & condition", or statements that hold together.
const Node* Parser::cases() {
  std::vector<const Node*> parts;
  std::size_t rows = 0;
  while (!failed_ && !peek().is_command("end:cases")) {
    parts.push_back(item());
    accept_symbol(',');
    if (accept_symbol('&')) parts.push_back(condition());
    ++rows;
    if (!accept_command("\\")) break;
  }
  expect_command("end:cases");
  if (rows > 0 && parts.size() == 2 * rows) {
    return &arena_.make(Kind::kPiecewise, std::move(parts));
  }
  if (rows == 0 || parts.size() != rows) return fail();
  return &arena_.make(Kind::kList, std::move(parts), "and");
}

}  // namespace fbt::scorers::math
