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
          return peek(1).is_symbol('}') ? selections_with_scripts() : braces();
        case '_':
        case '^':
          return selections_with_scripts();
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
  if (name == "dots") return &arena_.make(Kind::kEllipsis);
  if (name == "pi" || name == "infty") return &arena_.make(Kind::kConstant, {}, name);
  if (name == "emptyset") return &arena_.make(Kind::kDomain, {}, "empty");
  if (name.starts_with("mathbb ")) return domain(name.substr(7));
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
  if (name == "Pr" && peek().is_symbol('(')) return name_with_brackets("\\Pr");
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

// ℝ, or ℝ^+ and ℝ^-.
const Node* Parser::domain(const std::string& name) {
  const std::size_t sign = peek(1).is_symbol('{') ? 2 : 1;
  if (peek().is_symbol('(') || peek().is_symbol('[')) return name_with_brackets("\\" + name);
  const bool half =
      peek().is_symbol('^') && (peek(sign).is_symbol('+') || peek(sign).is_symbol('-'));
  if (!half) return &arena_.make(Kind::kDomain, {}, name);
  const std::string half_name = name + peek(sign).text;
  for (std::size_t i = 0; i < 2 * sign; ++i) {
    if (i <= sign || peek().is_symbol('}')) take();
  }
  return &arena_.make(Kind::kDomain, {}, half_name);
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
    if (const Node* call = composition()) return call;
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
  const int outer_integral = std::exchange(integral_depth_, 0);
  const Node* content = group_content();
  absolute_depth_ = outer_absolute;
  integral_depth_ = outer_integral;
  expect_symbol('}');
  return content;
}

// All of a group or of the answer: \over and \choose part it in two.
const Node* Parser::group_content() {
  const Node* content = list();
  if (peek().is_command("over") || peek().is_command("choose")) {
    const bool over = take().text == "over";
    const Node* below = list();
    content = over ? &arena_.make(Kind::kDivide, {content, below})
                   : &arena_.make(Kind::kFunction, {content, below}, "binom");
  }
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
    std::vector<const Node*> parts = {set_expression(), nullptr};
    const char code = relation_operator();
    if (code != '\0') {
      const Node* domain = set_expression();
      const bool reals = domain->is(Kind::kDomain) && domain->text == "R";
      if (code == 'e' && !reals) parts.push_back(domain);
    }
    absolute_depth_ = outer;
    if (!accept_symbol('|')) expect_symbol(':');
    parts[1] = list();
    expect_command("}");
    return &arena_.make(Kind::kSetBuilder, std::move(parts));
  }
  std::vector<const Node*> items;
  do {
    items.push_back(item());
  } while (accept_symbol(',') || accept_symbol(';'));
  if (accept_command("dots")) items.push_back(&arena_.make(Kind::kEllipsis));
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
  if (environment == "cases") return cases();
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
  if (rows == 0) return fail();
  Node& node = arena_.make(Kind::kMatrix);
  node.children = std::move(cells);
  node.rows = rows;
  if (environment == "vmatrix") return &arena_.make(Kind::kFunction, {&node}, "det");
  return &node;
}

}  // namespace fbt::scorers::math
