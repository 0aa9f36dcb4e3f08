#include <algorithm>
#include <cstdlib>
#include <utility>

#include "scorers/math/function.h"
#include "scorers/math/parser_impl.h"
#include "scorers/math/vocabulary.h"

namespace fbt::scorers::math {

const Node* Parser::atom() {
  const Depth depth(*this);
  if (depth.too_deep()) return fail();
  const Token& token = peek();
  switch (token.type) {
    case TokenType::kNumber:
      if (const Node* numeral = based_numeral()) return numeral;
      return number();
    case TokenType::kLetter:
      if (const Node* numeral = based_numeral()) return numeral;
      return variable();
    case TokenType::kWord:
      if (token.text == "negative" || token.text == "minus") {
        take();
        return &arena_.make(Kind::kNegate, {atom()});
      }
      if (number_word(token.text)) return number();
      return fail();
    case TokenType::kCommand:
      return command_atom();
    case TokenType::kSymbol:
      switch (token.text[0]) {
        case '(':
        case '[':
        case ']':
          return brackets(take().text[0]);
        case '{':
          return braces();
        case '|':
          return absolute_value();
        default:
          return fail();
      }
    case TokenType::kEnd:
      break;
  }
  return fail();
}

const Node* Parser::command_atom() {
  const std::string name = take().text;
  if (name == "frac") return fraction();
  if (name == "sqrt") return root();
  if (name == "surd") return &arena_.make(Kind::kFunction, {atom()}, "sqrt");
  if (name == "binom") {
    const Node* n = argument();
    return &arena_.make(Kind::kFunction, {n, argument()}, "binom");
  }
  if (name == "pi" || name == "infty") return &arena_.make(Kind::kConstant, {}, name);
  if (name == "emptyset") return &arena_.make(Kind::kDomain, {}, "empty");
  if (name.starts_with("mathbb ")) return &arena_.make(Kind::kDomain, {}, name.substr(7));
  if (is_prefix_function(name) || is_list_function(name) || name == "log") return function(name);
  if (name == "lfloor") return delimited("rfloor", "floor");
  if (name == "lceil") return delimited("rceil", "ceil");
  if (name == "floor" || name == "ceil") return &arena_.make(Kind::kFunction, {argument()}, name);
  if (name == "Vert") return delimited("Vert", "norm");
  if (name == "{") return set();
  if (name == "langle") return angle_brackets();
  if (name.starts_with("begin:")) return matrix(name.substr(6));
  if (name == "sum" || name == "prod") return big_operator(name);
  if (name == "int") return integral();
  if (name == "lim") return limit();
  if (name == "det") return &arena_.make(Kind::kFunction, {atom()}, "det");
  if (name == "neg") return &arena_.make(Kind::kApply, {atom()}, "neg");
  static constexpr const char* kAccents[] = {
      "hat",           "tilde",          "dot",  "ddot",   "overline", "vec", "triangle", "angle",
      "measuredangle", "overrightarrow", "odot", "square", "arc"};
  for (const char* accent : kAccents) {
    if (name == accent) return named_object(name);
  }
  static constexpr const char* kNoAtoms[] = {
      "}",   "\\",  "rfloor",   "rceil", "rangle", "circ", "over", "choose",
      "cup", "cap", "setminus", "pm",    "mp",     "pmod", "bmod", "le",
      "ge",  "ne",  "approx",   "in",    "to",     "not",  "equiv"};
  for (const char* other : kNoAtoms) {
    if (name == other) return fail();
  }
  if (name.starts_with("end:")) return fail();
  // Greek letters and anything else: a symbol of that name.
  std::string variable_name = "\\" + name;
  if (peek().is_symbol('_')) variable_name += subscript();
  while (accept_symbol('\'')) variable_name += '\'';
  return &arena_.make(Kind::kVariable, {}, std::move(variable_name));
}

// ---- numbers ----

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
  static constexpr std::pair<const char*, int> kParts[] = {
      {"half", 2},   {"halves", 2},  {"third", 3},  {"thirds", 3}, {"quarter", 4}, {"quarters", 4},
      {"fourth", 4}, {"fourths", 4}, {"fifth", 5},  {"fifths", 5}, {"sixth", 6},   {"sixths", 6},
      {"eighth", 8}, {"eighths", 8}, {"tenth", 10}, {"tenths", 10}};
  for (const auto& [word, parts] : kParts) {
    if (previous().type != TokenType::kWord || !peek().is_word(word)) continue;
    take();
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

// ---- names ----

std::string Parser::subscript() {
  take();
  std::string name(1, '_');
  if (!accept_symbol('{')) {
    if (done()) fail();
    name += take().text;
    return name;
  }
  int nesting = 1;
  while (!done()) {
    const Token& token = take();
    if (token.is_symbol('{')) ++nesting;
    if (token.is_symbol('}') && --nesting == 0) return name;
    name += token.text;
  }
  fail();
  return name;
}

const Node* Parser::variable() {
  const Token token = take();
  std::string name = token.text;
  const bool vector_unit = token.bold && (name == "i" || name == "j" || name == "k");
  if (vector_unit) name = "bold " + name;
  if (peek().is_symbol('_')) name += subscript();
  const auto prime = [this] {
    if (accept_symbol('\'')) return true;
    if (peek().is_symbol('^') && peek(1).is_symbol('\'')) {
      take();
      take();
      return true;
    }
    return false;
  };
  while (prime()) name += '\'';
  if (name == "e" || name == "i") return &arena_.make(Kind::kConstant, {}, name);

  // f(x), f^{-1}(x), and any name before "(x) =": a function, no product.
  std::size_t ahead = 0;
  if (peek().is_symbol('^') && peek(1).is_symbol('{') && peek(2).is_symbol('-') &&
      peek(3).is_symbol('}') == false && peek(4).is_symbol('}') && peek(5).is_symbol('(')) {
    ahead = 5;
  }
  if (!peek(ahead).is_symbol('(')) return &arena_.make(Kind::kVariable, {}, std::move(name));
  std::size_t close = ahead + 1;
  const auto simple = [&] {
    const Token& inner = peek(close);
    return inner.type == TokenType::kLetter || inner.type == TokenType::kNumber ||
           inner.is_symbol(',') || inner.is_symbol('-') || inner.type == TokenType::kCommand;
  };
  while (close < ahead + 12 && simple()) ++close;
  const bool definition =
      close > ahead + 1 && peek(close).is_symbol(')') && peek(close + 1).is_symbol('=');
  const bool combination = name == "C" && peek(ahead + 1).type == TokenType::kNumber &&
                           peek(ahead + 2).is_symbol(',') &&
                           peek(ahead + 3).type == TokenType::kNumber;
  static constexpr std::string_view kFunctions = "fghFGH";
  const bool known = kFunctions.find(name[0]) != std::string_view::npos;
  if (!definition && !known && !combination) {
    return &arena_.make(Kind::kVariable, {}, std::move(name));
  }
  if (ahead > 0) name += "^-1";
  for (std::size_t i = 0; i <= ahead; ++i) take();
  std::vector<const Node*> arguments;
  do {
    arguments.push_back(sum());
  } while (accept_symbol(','));
  expect_symbol(')');
  if (combination && arguments.size() == 2) {
    return &arena_.make(Kind::kFunction, std::move(arguments), "binom");
  }
  return &arena_.make(Kind::kApply, std::move(arguments), std::move(name));
}

// \triangle ABC, \overline{AB}, \hat{\imath}: symbols with a name.
const Node* Parser::named_object(const std::string& accent) {
  std::string name = "\\" + accent;
  if (accept_symbol('{')) {
    name += ' ';
    int nesting = 1;
    while (!done()) {
      const Token& token = take();
      if (token.is_symbol('{')) ++nesting;
      if (token.is_symbol('}') && --nesting == 0) break;
      name += token.text;
    }
    if (nesting != 0) return fail();
  } else {
    const bool run = accent == "triangle" || accent == "angle" || accent == "measuredangle" ||
                     accent == "square" || accent == "odot" || accent == "arc";
    if (peek().type == TokenType::kLetter) {
      name += ' ';
      do {
        name += take().text;
      } while (run && peek().type == TokenType::kLetter);
    } else if (!run && peek().type == TokenType::kCommand) {
      name += ' ' + take().text;
    }
  }
  if (peek().is_symbol('_')) name += subscript();
  return &arena_.make(Kind::kVariable, {}, std::move(name));
}

// ---- groups ----

// A command's argument: a group, or a single digit, letter or command.
const Node* Parser::argument() {
  if (peek().is_symbol('{')) {
    if (peek(1).is_symbol('}')) return fail();
    return braces();
  }
  if (peek().type == TokenType::kNumber && peek().text.size() > 1) {
    Token digit = peek();
    if (digit.text[0] == '.' || digit.text[1] == '.') return number_value(take());
    digit.text.resize(1);
    digit.repeating.clear();
    digit.exponent = 0;
    tokens_[at_].text.erase(0, 1);
    tokens_[at_].space_before = false;
    return number_value(digit);
  }
  if (peek().type == TokenType::kNumber) return number_value(take());
  if (peek().type == TokenType::kLetter) {
    const Token letter = take();
    const bool constant = letter.text == "e" || letter.text == "i";
    return &arena_.make(constant ? Kind::kConstant : Kind::kVariable, {}, letter.text);
  }
  return atom();
}

const Node* Parser::fraction() {
  const Node* numerator = argument();
  return &arena_.make(Kind::kDivide, {numerator, argument()});
}

const Node* Parser::root() {
  if (accept_symbol('[')) {
    const Node* index = sum();
    expect_symbol(']');
    return &arena_.make(Kind::kFunction, {index, argument()}, "root");
  }
  return &arena_.make(Kind::kFunction, {argument()}, "sqrt");
}

const Node* Parser::brackets(char open) {
  if (open == '(') {
    --at_;
    if (const Node* numeral = based_numeral()) return numeral;
    take();
  }
  const int outer_absolute = std::exchange(absolute_depth_, 0);
  const int outer_integral = std::exchange(integral_depth_, 0);
  std::vector<const Node*> items;
  bool comma = false;
  do {
    items.push_back(item());
    comma = comma || peek().is_symbol(',') || peek().is_symbol(';');
  } while (accept_symbol(',') || accept_symbol(';'));
  absolute_depth_ = outer_absolute;
  integral_depth_ = outer_integral;
  const Token close = take();
  const bool closed =
      close.is_symbol(')') || close.is_symbol(']') || (open == ']' && close.is_symbol('['));
  if (!closed) return fail();
  if (!comma) {
    if ((open == '(') != close.is_symbol(')')) return fail();
    Node& group = arena_.make(items[0]->kind);
    group = *items[0];
    group.parenthesised = true;
    return &group;
  }
  Node& tuple = arena_.make(Kind::kTuple);
  tuple.children = std::move(items);
  tuple.open = open == ']' ? '(' : open;  // ]0,1[ is (0,1)
  tuple.close = close.is_symbol('[') ? ')' : close.text[0];
  return &tuple;
}

const Node* Parser::braces() {
  expect_symbol('{');
  const int outer_absolute = std::exchange(absolute_depth_, 0);
  const Node* content = list();
  if (peek().is_command("over") || peek().is_command("choose")) {
    const bool over = take().text == "over";
    const Node* below = list();
    content = over ? &arena_.make(Kind::kDivide, {content, below})
                   : &arena_.make(Kind::kFunction, {content, below}, "binom");
  }
  absolute_depth_ = outer_absolute;
  expect_symbol('}');
  return content;
}

const Node* Parser::set() {
  if (accept_command("}")) return &arena_.make(Kind::kDomain, {}, "empty");
  // One "|" or ":" at this level makes it a set builder.
  int nesting = 0;
  int bars = 0;
  int colons = 0;
  for (std::size_t ahead = 0; at_ + ahead < tokens_.size(); ++ahead) {
    const Token& token = peek(ahead);
    if (token.is_command("{") || token.is_symbol('(') || token.is_symbol('{')) ++nesting;
    if (nesting == 0 && token.is_command("}")) break;
    if (token.is_command("}") || token.is_symbol(')') || token.is_symbol('}')) --nesting;
    if (nesting == 0 && token.is_symbol('|')) ++bars;
    if (nesting == 0 && token.is_symbol(':')) ++colons;
  }
  if (bars == 1 || (bars == 0 && colons == 1)) {
    const int outer = std::exchange(absolute_depth_, 1);  // the bar is no |x|
    std::vector<const Node*> subject = {set_expression()};
    while (!failed_ && relation_operator() != '\0') subject.push_back(set_expression());
    absolute_depth_ = outer;
    if (!accept_symbol('|')) expect_symbol(':');
    const Node* condition = list();
    expect_command("}");
    return &arena_.make(Kind::kSetBuilder, {subject[0], condition});
  }
  std::vector<const Node*> items;
  do {
    items.push_back(item());
  } while (accept_symbol(',') || accept_symbol(';'));
  if (accept_command("dots")) items.push_back(&arena_.make(Kind::kVariable, {}, "\\dots"));
  expect_command("}");
  return &arena_.make(Kind::kSet, std::move(items));
}

const Node* Parser::angle_brackets() {
  std::vector<const Node*> items;
  do {
    items.push_back(item());
  } while (accept_symbol(',') || accept_symbol(';'));
  expect_command("rangle");
  Node& tuple = arena_.make(Kind::kTuple);
  tuple.children = std::move(items);
  tuple.open = '<';
  tuple.close = '>';
  return &tuple;
}

const Node* Parser::absolute_value() {
  expect_symbol('|');
  ++absolute_depth_;
  const Node* content = sum();
  --absolute_depth_;
  expect_symbol('|');
  return &arena_.make(Kind::kFunction, {content}, "abs");
}

const Node* Parser::delimited(const char* close, const char* function) {
  const Node* content = sum();
  expect_command(close);
  return &arena_.make(Kind::kFunction, {content}, function);
}

const Node* Parser::matrix(const std::string& environment) {
  const std::string end = "end:" + environment;
  std::vector<const Node*> cells;
  int rows = 0;
  std::size_t columns = 0;
  while (!failed_ && !peek().is_command(end.c_str())) {
    if (accept_command("hline")) continue;
    std::size_t in_row = 0;
    do {
      cells.push_back(relation());
      ++in_row;
    } while (accept_symbol('&'));
    if (rows > 0 && in_row != columns) return fail();
    columns = in_row;
    ++rows;
    if (!accept_command("\\")) break;
  }
  expect_command(end.c_str());
  if (rows == 0 || environment == "cases") return fail();
  Node& node = arena_.make(Kind::kMatrix);
  node.children = std::move(cells);
  node.rows = rows;
  if (environment == "vmatrix") return &arena_.make(Kind::kFunction, {&node}, "det");
  return &node;
}

// ---- big operators: children are body, variable, from, to ----

const Node* Parser::big_operator(const std::string& name) {
  expect_symbol('_');
  expect_symbol('{');
  const Node* index = variable();
  expect_symbol('=');
  const Node* from = sum();
  expect_symbol('}');
  expect_symbol('^');
  const Node* to = argument();
  const Node* body = product();
  if (!index->is(Kind::kVariable) && !index->is(Kind::kConstant)) return fail();
  Node& bound = arena_.make(Kind::kVariable);
  bound.text = index->text;
  return &arena_.make(Kind::kBigOperator, {body, &bound, from, to}, name);
}

const Node* Parser::integral() {
  expect_symbol('_');
  const Node* from = argument();
  expect_symbol('^');
  const Node* to = argument();
  ++integral_depth_;
  const Node* body = sum();
  --integral_depth_;
  if (peek().type != TokenType::kLetter || peek().text != "d") return fail();
  take();
  const Node* variable = atom();
  if (!variable->is(Kind::kVariable)) return fail();
  return &arena_.make(Kind::kBigOperator, {body, variable, from, to}, "int");
}

const Node* Parser::limit() {
  expect_symbol('_');
  expect_symbol('{');
  const Node* variable = atom();
  expect_command("to");
  const Node* target = sum();
  expect_symbol('}');
  const Node* body = product();
  if (!variable->is(Kind::kVariable)) return fail();
  return &arena_.make(Kind::kBigOperator, {body, variable, target}, "lim");
}

}  // namespace fbt::scorers::math
