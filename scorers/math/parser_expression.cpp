#include "scorers/math/function.h"
#include "scorers/math/parser_impl.h"
#include "scorers/math/vocabulary.h"

namespace fbt::scorers::math {

const Node* Parser::sum() {
  const Depth depth(*this);
  if (depth.too_deep()) return fail();
  const Node* left = nullptr;
  if (accept_command("pm")) {
    left = &arena_.make(Kind::kPlusMinus, {product()}, "+");
  } else if (accept_command("mp")) {
    left = &arena_.make(Kind::kPlusMinus, {product()}, "-");
  } else {
    left = product();
  }
  while (!failed_) {
    if (accept_symbol('+')) {
      if (accept_symbol('/')) {  // "+/-"
        expect_symbol('-');
        left = &arena_.make(Kind::kPlusMinus, {left, product()}, "+");
      } else {
        left = &arena_.make(Kind::kAdd, {left, product()});
      }
    } else if (accept_symbol('-')) {
      left = &arena_.make(Kind::kSubtract, {left, product()});
    } else if (accept_command("pm")) {
      left = &arena_.make(Kind::kPlusMinus, {left, product()}, "+");
    } else if (accept_command("mp")) {
      left = &arena_.make(Kind::kPlusMinus, {left, product()}, "-");
    } else {
      break;
    }
  }
  return left;
}

const Node* Parser::product() {
  const Depth depth(*this);
  if (depth.too_deep()) return fail();
  if (accept_symbol('-')) return &arena_.make(Kind::kNegate, {product()});
  if (accept_symbol('+')) return product();
  const Node* left = factor();
  while (!failed_) {
    if (accept_symbol('*')) {
      left = &arena_.make(Kind::kMultiply, {left, factor()});
    } else if (accept_symbol('/')) {
      left = &arena_.make(Kind::kDivide, {left, factor()});
    } else if (starts_factor()) {
      left = &arena_.make(Kind::kMultiply, {left, factor()});
    } else {
      break;
    }
  }
  return left;
}

const Node* Parser::factor() {
  if (accept_symbol('-')) {
    const Depth depth(*this);
    if (depth.too_deep()) return fail();
    return &arena_.make(Kind::kNegate, {factor()});
  }
  return power();
}

// Whether a "[" may be a factor: in "]0,1[" it ends an interval.
bool Parser::closes_ahead() const {
  for (std::size_t i = at_; i < tokens_.size(); ++i) {
    if (tokens_[i].is_symbol(']')) return true;
  }
  return false;
}

// Whether the next token continues a product without an operator.
bool Parser::starts_factor() const {
  const Token& token = peek();
  switch (token.type) {
    case TokenType::kNumber: {
      // "2 3" is no product, and "R2" or "B12" is a name.
      const Token& last = previous();
      const bool name = last.type == TokenType::kLetter && last.text[0] >= 'A' &&
                        last.text[0] <= 'Z' && !token.space_before;
      return last.type != TokenType::kNumber && !name;
    }
    case TokenType::kLetter:
      if (integral_depth_ > 0 && token.text == "d" &&
          (peek(1).type == TokenType::kLetter || peek(1).type == TokenType::kCommand)) {
        return false;
      }
      if (token.text == "U" && (previous().is_symbol(')') || previous().is_symbol(']'))) {
        return !(peek(1).is_symbol('(') || peek(1).is_symbol('['));
      }
      return !at_unit() || previous().type == TokenType::kLetter;
    case TokenType::kWord:
      return false;
    case TokenType::kSymbol:
      if (token.is_symbol('(')) {
        return peek(1).type != TokenType::kWord && !peek(1).is_command("bmod");
      }
      if (token.is_symbol('|')) return absolute_depth_ == 0;
      return token.is_symbol('{') || (token.is_symbol('[') && closes_ahead());
    case TokenType::kCommand: {
      static constexpr const char* kNoFactor[] = {
          "le",       "ge",       "ne",       "approx", "in",     "to",     "implies",
          "iff",      "wedge",    "vee",      "equiv",  "cong",   "sim",    "perp",
          "parallel", "subset",   "subseteq", "propto", "ni",     "not",    "cup",
          "cap",      "setminus", "pm",       "mp",     "}",      "\\",     "over",
          "choose",   "pmod",     "bmod",     "rfloor", "rceil",  "rangle", "circ",
          "Vert",     "{",        "neg",      "langle", "forall", "exists", "therefore"};
      for (const char* name : kNoFactor) {
        if (token.text == name) return false;
      }
      if (at_unit()) return false;
      return !token.text.starts_with("end:");
    }
    case TokenType::kEnd:
      break;
  }
  return false;
}

const Node* Parser::power() {
  const Depth depth(*this);
  if (depth.too_deep()) return fail();
  const Node* base = postfix(atom());
  while (!failed_ && accept_symbol('^')) {
    const bool braced_circle = peek().is_symbol('{') && peek(1).is_command("circ");
    if (braced_circle) take();
    if (accept_command("circ") ||
        (peek().is_word("o") || (peek().type == TokenType::kLetter && peek().text == "o"))) {
      if (peek().type == TokenType::kLetter && peek().text == "o") take();
      if (braced_circle) expect_symbol('}');
      base = &arena_.make(Kind::kDegree, {with_arc_minutes(base)});
      // 25°C
      const bool scale =
          peek().type == TokenType::kLetter && (peek().text == "C" || peek().text == "F");
      if (scale && base->child(0).is(Kind::kNumber)) take();
      continue;
    }
    base = postfix(&arena_.make(Kind::kPower, {base, exponent()}));
  }
  return base;
}

// After "22°": the minutes and seconds of 22° 30' 15'', as parts of a degree.
const Node* Parser::with_arc_minutes(const Node* degrees) {
  for (const long parts : {60L, 3600L}) {
    if (peek().type != TokenType::kNumber) break;
    std::size_t marks = 1;
    const bool raised = peek(marks).is_symbol('^');
    if (raised) ++marks;
    const bool braced = raised && peek(marks).is_symbol('{');
    if (braced) ++marks;
    if (!peek(marks).is_symbol('\'')) break;
    while (peek(marks).is_symbol('\'')) ++marks;
    if (braced && peek(marks).is_symbol('}')) ++marks;
    const Node& share = arena_.make(Kind::kDivide, {number_value(peek()), &arena_.number(parts)});
    for (; marks > 0; --marks) take();
    degrees = &arena_.make(Kind::kAdd, {degrees, &share});
  }
  return degrees;
}

const Node* Parser::postfix(const Node* base) {
  while (!failed_) {
    if (peek().is_symbol('!')) {
      take();
      if (peek().is_symbol('!') && !peek().space_before) {
        take();
        base = &arena_.make(Kind::kFunction, {base}, "double_factorial");
        continue;
      }
      base = &arena_.make(Kind::kFunction, {base}, "factorial");
    } else if (peek().is_symbol('%')) {
      take();
      base = &arena_.make(Kind::kPercent, {base});
    } else if (peek().is_command("circ")) {
      take();
      base = &arena_.make(Kind::kDegree, {base});
    } else {
      break;
    }
  }
  return base;
}

// After '^': a group, or one token (a whole number, as people write 2^10).
const Node* Parser::exponent() {
  const Depth depth(*this);
  if (depth.too_deep()) return fail();
  if (peek().is_symbol('^')) return fail();
  const Node* value = nullptr;
  if (accept_symbol('-')) {
    return &arena_.make(Kind::kNegate, {exponent()});
  }
  if (accept_symbol('+')) return exponent();
  if (peek().is_symbol('{') || peek().is_symbol('(')) {
    value = atom();
  } else if (peek().type == TokenType::kNumber) {
    value = number_value(take());
  } else {
    value = atom();
  }
  if (accept_symbol('^')) return &arena_.make(Kind::kPower, {value, exponent()});
  return value;
}

// ---- functions ----

const Node* Parser::function(const std::string& name) {
  if (name == "log") return logarithm();
  if (is_list_function(name)) {
    if (!accept_symbol('(')) return fail();
    std::vector<const Node*> arguments;
    do {
      arguments.push_back(sum());
    } while (accept_symbol(','));
    expect_symbol(')');
    return &arena_.make(Kind::kFunction, std::move(arguments), name);
  }
  const Node* power = nullptr;
  std::string applied = name;
  if (accept_symbol('^')) {
    power = exponent();
    const bool inverse = power->is(Kind::kNegate) && power->child(0).is(Kind::kNumber) &&
                         *power->child(0).number == 1 && !inverse_function(name).empty();
    if (inverse) {
      applied = inverse_function(name);
      power = nullptr;
    }
  }
  const Node* argument = function_argument();
  const Node* value =
      applied == "cis" ? cis(argument) : &arena_.make(Kind::kFunction, {argument}, applied);
  if (power == nullptr) return value;
  return &arena_.make(Kind::kPower, {value, power});
}

// cos x + i sin x
const Node* Parser::cis(const Node* angle) {
  const Node& i = arena_.make(Kind::kConstant, {}, "i");
  const Node& sine = arena_.make(Kind::kFunction, {angle}, "sin");
  return &arena_.make(Kind::kAdd, {&arena_.make(Kind::kFunction, {angle}, "cos"),
                                   &arena_.make(Kind::kMultiply, {&i, &sine})});
}

const Node* Parser::logarithm() {
  const Node* base = nullptr;
  if (accept_symbol('_')) {
    const bool whole = peek().type == TokenType::kNumber && peek().text.size() > 1 &&
                       (peek(1).type != TokenType::kNumber && peek(1).type != TokenType::kEnd);
    base = whole ? number_value(take()) : argument();
  }
  const Node* power = accept_symbol('^') ? exponent() : nullptr;
  const Node* value = function_argument();
  const Node* result = base == nullptr ? &arena_.make(Kind::kFunction, {value}, "lg")
                                       : &arena_.make(Kind::kFunction, {base, value}, "log");
  return power == nullptr ? result : &arena_.make(Kind::kPower, {result, power});
}

// What a function without parentheses applies to: in \sin 2x \cos x the 2x.
const Node* Parser::function_argument() {
  const Depth depth(*this);
  if (depth.too_deep()) return fail();
  if (peek().is_symbol('(') || peek().is_symbol('{') || peek().is_symbol('[') ||
      peek().is_symbol('|')) {
    return atom();
  }
  if (accept_symbol('-')) return &arena_.make(Kind::kNegate, {function_argument()});
  const Node* value = power();
  const auto names_function = [this] {
    const Token& token = peek();
    return token.type == TokenType::kCommand &&
           (is_prefix_function(token.text) || token.text == "log");
  };
  while (!failed_ && starts_factor() && !names_function()) {
    const bool call = peek().is_symbol('(') && !value->is(Kind::kNumber);
    if (call || peek().is_symbol('|') || peek().is_symbol('[')) break;
    value = &arena_.make(Kind::kMultiply, {value, power()});
  }
  // \sin \pi/4
  const auto is_pi = [](const Node& node) { return node.is(Kind::kConstant) && node.text == "pi"; };
  const bool multiple_of_pi =
      is_pi(*value) || (value->is(Kind::kMultiply) && is_pi(value->child(1)));
  if (multiple_of_pi && peek().is_symbol('/') && peek(1).type == TokenType::kNumber) {
    take();
    value = &arena_.make(Kind::kDivide, {value, number_value(take())});
  }
  return value;
}

}  // namespace fbt::scorers::math
