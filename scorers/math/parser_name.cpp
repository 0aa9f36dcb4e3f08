#include "scorers/math/parser_impl.h"

namespace fbt::scorers::math {

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

  // P(X > 2), E[X^2] = 5: the brackets are a part of the name.
  const bool stochastic = name == "P" || name == "E";
  const bool stated = peek(group_length()).is_symbol('=');
  if (stochastic && peek().is_symbol('[') && (stated || holds_event())) {
    return name_with_brackets(std::move(name));
  }

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
  if (stochastic && ahead == 0 && (holds_event() || (stated && !definition))) {
    return name_with_brackets(std::move(name));
  }
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
  if (accent == "overline" && peek().is_symbol('{')) {
    // Over a sum the line means the conjugate.
    const std::size_t length = group_length();
    for (std::size_t i = 1; i + 1 < length; ++i) {
      if (peek(i).is_symbol('+') || peek(i).is_symbol('-')) {
        return &arena_.make(Kind::kFunction, {braces()}, "conj");
      }
    }
  }
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

}  // namespace fbt::scorers::math
