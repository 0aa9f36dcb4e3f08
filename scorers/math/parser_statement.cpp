#include <algorithm>

#include "scorers/math/parser.h"
#include "scorers/math/parser_impl.h"
#include "scorers/math/vocabulary.h"

namespace fbt::scorers::math {

bool Parser::accept_symbol(char c) {
  if (!peek().is_symbol(c)) return false;
  take();
  return true;
}

bool Parser::accept_command(const char* name) {
  if (!peek().is_command(name)) return false;
  take();
  return true;
}

void Parser::expect_symbol(char c) {
  if (!accept_symbol(c)) fail();
}

void Parser::expect_command(const char* name) {
  if (!accept_command(name)) fail();
}

const Node* Parser::fail() {
  failed_ = true;
  at_ = tokens_.size() - 1;
  return &arena_.number(0);
}

const Node* Parser::answer() {
  if (done()) return nullptr;
  const Node* root = group_content();
  if (!done()) fail();
  return failed_ ? nullptr : root;
}

bool Parser::at_separator() const {
  const Token& token = peek();
  return token.is_symbol(',') || token.is_symbol(';') || token.is_symbol('&') ||
         token.is_word("and") || token.is_word("or") || token.is_command("\\");
}

bool Parser::at_closer() const {
  const Token& token = peek();
  return token.type == TokenType::kEnd || token.is_symbol(')') || token.is_symbol(']') ||
         token.is_symbol('}') || token.is_command("}") || token.is_command("rangle");
}

const Node* Parser::list() {
  std::vector<const Node*> items;
  std::string joined_by;
  if (starts_conclusion()) take();
  while (!failed_) {
    while (at_separator()) {
      const Token& separator = take();
      if (separator.is_word("or")) joined_by = "or";
      if (separator.is_word("and") && joined_by.empty()) joined_by = "and";
    }
    if (at_closer()) break;
    items.push_back(item());
    if (!at_separator()) break;
  }
  if (items.empty()) return fail();
  if (items.size() == 1) return items[0];
  share_modulus(items);
  return &arena_.make(Kind::kList, std::move(items), joined_by.empty() ? "," : joined_by);
}

// "Therefore, …", before the comma.
bool Parser::starts_conclusion() const {
  static constexpr const char* kWords[] = {"therefore", "thus", "hence", "so", "consequently"};
  return peek(1).is_symbol(',') &&
         std::any_of(std::begin(kWords), std::end(kWords),
                     [this](const char* word) { return peek().is_word(word); });
}

// In "x ≡ 1, 4 (mod 6)" the modulus is that of all.
void Parser::share_modulus(std::vector<const Node*>& items) {
  const Node& last = *items.back();
  const bool shared = last.is(Kind::kModulo) &&
                      std::none_of(items.begin(), items.end() - 1,
                                   [](const Node* item) { return item->is(Kind::kModulo); });
  if (!shared) return;
  for (std::size_t i = 0; i + 1 < items.size(); ++i) {
    items[i] = &arena_.make(Kind::kModulo, {items[i], last.children[1]});
  }
}

const Node* Parser::item() {
  const Depth depth(*this);
  if (depth.too_deep()) return fail();
  static constexpr const char* kFillers[] = {"about",   "approximately", "approx", "roughly",
                                             "exactly", "only",          "either", "both",
                                             "option",  "choice",        "usd"};
  const auto filler = [this] {
    return std::any_of(std::begin(kFillers), std::end(kFillers),
                       [this](const char* word) { return peek().is_word(word); });
  };
  while (filler() && peek(1).type != TokenType::kEnd) take();
  if (!starts_prose()) return relation();
  const Node* text = prose();
  return text->is(Kind::kVariable) ? relation_after(text) : text;
}

// ---- relations ----

char Parser::relation_operator() {
  struct Operator {
    const char* command;
    char code;
  };
  static constexpr Operator kOperators[] = {
      {"le", 'l'},     {"ge", 'g'},       {"ne", 'n'},     {"approx", '~'}, {"in", 'e'},
      {"to", 't'},     {"implies", 'i'},  {"iff", 'f'},    {"wedge", 'w'},  {"vee", 'v'},
      {"equiv", 'm'},  {"cong", 'c'},     {"sim", 's'},    {"perp", 'p'},   {"parallel", 'P'},
      {"subset", 'u'}, {"subseteq", 'U'}, {"propto", 'o'}, {"ni", 'I'}};
  const Token& token = peek();
  if (token.type == TokenType::kSymbol) {
    if (token.text == "=" || token.text == "<" || token.text == ">") return take().text[0];
    return '\0';
  }
  if (token.is_command("not") && peek(1).is_command("in")) {
    take();
    take();
    return 'E';
  }
  if (token.type != TokenType::kCommand) return '\0';
  for (const Operator& candidate : kOperators) {
    if (token.text != candidate.command) continue;
    take();
    return candidate.code;
  }
  return '\0';
}

// "a < b = c" from its first operand on.
const Node* Parser::relation_after(const Node* first) {
  std::vector<const Node*> operands = {first};
  std::string operators;
  while (const char code = relation_operator()) {
    operators += code;
    operands.push_back(starts_prose() ? prose() : operand());
  }
  // "x ≡ 3 mod 4": the modulus is the congruence's.
  const bool congruence =
      !operators.empty() && (operators.back() == 'm' || operators.back() == 'c');
  if (congruence && operands.back()->is(Kind::kModulo)) {
    const Node& last = *operands.back();
    operands.back() = last.children[0];
    return &arena_.make(Kind::kModulo,
                        {&arena_.make(Kind::kRelation, std::move(operands), std::move(operators)),
                         last.children[1]});
  }
  const Node* node = operands[0];
  if (!operators.empty()) {
    node = &arena_.make(Kind::kRelation, std::move(operands), std::move(operators));
  }
  if (accept_command("pmod")) return &arena_.make(Kind::kModulo, {node, argument()});
  if (peek().is_symbol('(') && peek(1).is_command("bmod")) {
    take();
    take();
    const Node* modulus = sum();
    expect_symbol(')');
    return &arena_.make(Kind::kModulo, {node, modulus});
  }
  return node;
}

const Node* Parser::operand() {
  const Node* value = set_expression();
  if (accept_command("bmod")) value = &arena_.make(Kind::kModulo, {value, product()});
  const bool in_words = peek().is_word("to") && peek(1).type == TokenType::kNumber;
  if (peek().is_symbol(':') || in_words) value = ratio(value);
  return with_units(value);
}

const Node* Parser::set_expression() {
  const Node* left = sum();
  while (!failed_) {
    const bool letter_union =
        peek().type == TokenType::kLetter && peek().text == "U" && left->is(Kind::kTuple);
    if (letter_union || peek().is_command("cup") || peek().is_command("cap") ||
        peek().is_command("setminus")) {
      const std::string name = letter_union ? "cup" : peek().text;
      take();
      left = &arena_.make(Kind::kSetOperation, {left, sum()}, name);
    } else {
      break;
    }
  }
  return left;
}

const Node* Parser::ratio(const Node* first) {
  std::vector<const Node*> parts = {first};
  while (peek().is_symbol(':') || peek().is_word("to")) {
    take();
    parts.push_back(sum());
  }
  std::string half_day;
  if (peek().is_word("am") || peek().is_word("pm")) half_day = take().text;
  return &arena_.make(Kind::kRatio, std::move(parts), half_day);
}

// ---- prose and units ----

bool Parser::starts_prose() const {
  const Token& token = peek();
  if (token.type == TokenType::kWord) {
    const bool sign = token.text == "negative" || token.text == "minus";
    return !number_word(token.text) && !at_separator() &&
           !(sign && peek(1).type != TokenType::kWord && peek(1).type != TokenType::kEnd);
  }
  // "a circle": the article, no variable.
  return token.type == TokenType::kLetter && (token.text == "a" || token.text == "A") &&
         peek(1).type == TokenType::kWord && !peek(1).is_word("and") && !peek(1).is_word("or");
}

const Node* Parser::prose() {
  std::string text;
  std::size_t words = 0;
  int nesting = 0;
  while (!done()) {
    const Token& token = peek();
    const bool opens = token.is_symbol('(') || token.is_symbol('[') || token.is_symbol('{');
    if (nesting == 0 && (at_separator() || at_closer())) break;
    if (nesting == 0 && (token.is_symbol('=') || token.is_command("approx"))) {
      // "Area = 5": the words name an unknown.
      return &arena_.make(Kind::kVariable, {}, text);
    }
    if (nesting == 0 && token.is_symbol(':') && token.roman) {
      take();  // "Remainder: 5": a label
      return item();
    }
    const bool states = previous().is_word("is") || previous().is_word("are");
    if (nesting == 0 && words > 0 && states && token.type != TokenType::kWord) {
      return item();  // "the answer is 5"
    }
    if (token.is_word("except") && is_all_reals(text)) return reals_except();
    if (opens) ++nesting;
    if (at_closer()) --nesting;
    const bool article = words == 0 && (token.text == "a" || token.text == "A" ||
                                        token.is_word("an") || token.is_word("the"));
    if (!article) {
      if (!text.empty() && (token.space_before || token.type == TokenType::kWord)) text += ' ';
      for (char c : token.text) text += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
      ++words;
    }
    take();
  }
  if (text.empty()) return fail();
  return phrase(std::move(text));
}

bool Parser::is_all_reals(std::string_view text) {
  static constexpr std::string_view kReals[] = {"all reals", "all real numbers", "real numbers",
                                                "reals", "set of all real numbers"};
  return std::find(std::begin(kReals), std::end(kReals), text) != std::end(kReals);
}

// "all real numbers except 2 and 3", at "except".
const Node* Parser::reals_except() {
  take();
  const Node* points = list();
  const bool named = points->is(Kind::kRelation) && points->text == "=";  // "except x = 2"
  if (named) points = points->children.back();
  std::vector<const Node*> members = {points};
  if (points->is(Kind::kList)) members = points->children;
  const Node& reals = arena_.make(Kind::kDomain, {}, "R");
  return &arena_.make(Kind::kSetOperation, {&reals, &arena_.make(Kind::kSet, std::move(members))},
                      "setminus");
}

// Phrases that name a mathematical object become that object.
const Node* Parser::phrase(std::string text) {
  if (is_all_reals(text)) return &arena_.make(Kind::kDomain, {}, "R");
  static constexpr std::string_view kEmpty[] = {"no solution", "no real solution", "empty set"};
  for (std::string_view empty : kEmpty) {
    if (text.starts_with(empty)) return &arena_.make(Kind::kDomain, {}, "empty");
  }
  if (text == "dne") text = "does not exist";
  return &arena_.make(Kind::kText, {}, std::move(text));
}

bool Parser::at_unit() const {
  const Token& token = peek();
  if (token.type == TokenType::kWord) return !at_separator();
  if (token.is_command("frac")) {  // \frac{\text{mi}}{\text{h}}
    return peek(1).is_symbol('{') && peek(2).type == TokenType::kWord;
  }
  return token.type == TokenType::kLetter && token.roman && token.text.size() == 1 &&
         is_unit(std::string(1, static_cast<char>(token.text[0] | 0x20)));
}

std::string Parser::unit_text() {
  static constexpr const char* kConditions[] = {"if",   "where",     "for", "when",   "such",
                                                "with", "otherwise", "not", "unless", "but"};
  std::string text;
  int nesting = 0;
  while (!done()) {
    const Token& token = peek();
    if (nesting == 0 && (at_separator() || at_closer())) break;
    const bool exponent = nesting > 0 || previous().is_symbol('^');  // cm^2, s^{-2}
    if (token.type == TokenType::kNumber && !exponent) break;
    const bool condition = std::any_of(std::begin(kConditions), std::end(kConditions),
                                       [&](const char* word) { return token.is_word(word); });
    if (condition) {
      fail();
      break;
    }
    const bool command_allowed = token.is_command("circ") || token.is_command("frac");
    if (token.type == TokenType::kCommand && !command_allowed) break;
    if (token.type == TokenType::kSymbol) {
      static constexpr std::string_view kAllowed = "^/*-(){}[].'";
      if (kAllowed.find(token.text[0]) == std::string_view::npos) break;
      if (token.is_symbol('(') || token.is_symbol('{') || token.is_symbol('[')) ++nesting;
      if (token.is_symbol(')') || token.is_symbol('}') || token.is_symbol(']')) --nesting;
    }
    if (!text.empty() && token.type == TokenType::kWord) text += ' ';
    text += token.text;
    take();
  }
  return text;
}

const Node* Parser::with_units(const Node* value) {
  while (!failed_) {
    const Token& token = peek();
    if (token.is_symbol('(') && (peek(1).type == TokenType::kWord)) {
      // "101101 (base 2)", "5 (miles)"
      if (peek(1).is_word("base")) {
        take();
        value = in_base(value);
        expect_symbol(')');
        continue;
      }
      return &arena_.make(Kind::kQuantity, {value}, unit_text());
    }
    if (!at_unit()) return value;
    if (const auto scale = scale_word(token.text)) {
      take();
      value = &arena_.make(Kind::kMultiply, {value, &arena_.number(*scale)});
    } else if (token.is_word("percent") || token.is_word("percentage") || token.is_word("pct")) {
      take();
      value = &arena_.make(Kind::kPercent, {value});
    } else if (token.is_word("degree") || token.is_word("degrees") || token.is_word("deg")) {
      take();
      value = &arena_.make(Kind::kDegree, {value});
    } else if (token.is_word("am") || token.is_word("pm")) {
      value = &arena_.make(Kind::kRatio, {value}, take().text);
    } else if (token.is_word("base")) {
      value = in_base(value);
    } else {
      const std::string unit = unit_text();
      if (unit.empty()) return fail();
      return compound_quantity(value, unit);
    }
  }
  return value;
}

// "7 hours 30 minutes" becomes one quantity in the smaller unit.
const Node* Parser::compound_quantity(const Node* first, const std::string& unit) {
  const Node* quantity = &arena_.make(Kind::kQuantity, {first}, unit);
  const std::size_t number_at = peek().is_word("and") ? 1 : 0;
  if (peek(number_at).type != TokenType::kNumber) return quantity;
  const Token& smaller = peek(number_at + 1);
  const auto large = unit_scale(unit);
  const auto small = smaller.type == TokenType::kWord ? unit_scale(smaller.text) : std::nullopt;
  if (!large || !small || large->dimension != small->dimension) {
    return number_at == 1 ? quantity : fail();  // "5 cm and 7": a list
  }
  if (number_at == 1) take();
  const Node* second = number();
  take();
  const Node& ratio = arena_.number(mpq_class(large->numerator, small->numerator));
  const Node& scaled = arena_.make(Kind::kMultiply, {first, &ratio});
  const Node& total = arena_.make(Kind::kAdd, {&scaled, second});
  return compound_quantity(&total, smaller.text);
}

// At the word "base": `digits` is the numeral before it.
const Node* Parser::in_base(const Node* digits) {
  take();
  const Token base = take();
  int value = 0;
  if (base.type == TokenType::kNumber && base.text.size() <= 2) {
    value = std::atoi(base.text.c_str());
  } else if (base.type == TokenType::kWord) {
    value = number_word(base.text).value_or(0);
  }
  if (value < 2 || !digits->is(Kind::kNumber) || digits->text.empty()) return fail();
  Node& node = arena_.make(Kind::kBased);
  node.text = digits->text;
  node.number = &arena_.keep(value);
  return &node;
}

const Node* parse_answer(const TokenList& tokens, Arena& arena) {
  if (tokens.failed) return nullptr;
  return Parser(tokens, arena).answer();
}

}  // namespace fbt::scorers::math
