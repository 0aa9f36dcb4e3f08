#include "scorers/math/parser_impl.h"
#include "scorers/math/rewrite.h"

namespace fbt::scorers::math {

// Children of a kBigOperator are body, variable, from and to.

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
  // In \sum_{i=1}^{n} i² the i is no imaginary unit.
  const Node& bound_body = replaced(*body, arena_, [&](const Node& part) -> const Node* {
    return part.is(Kind::kConstant) && part.text == bound.text ? &bound : nullptr;
  });
  return &arena_.make(Kind::kBigOperator, {&bound_body, &bound, from, to}, name);
}

const Node* Parser::integral() {
  if (!peek().is_symbol('_')) return indefinite_integral();
  take();
  const Node* from = argument();
  expect_symbol('^');
  const Node* to = argument();
  ++integral_depth_;
  const Node* body = sum();
  --integral_depth_;
  if (const Node* whole = with_differential_in_numerator(*body, from, to)) return whole;
  if (peek().type != TokenType::kLetter || peek().text != "d") return fail();
  take();
  const Node* variable = atom();
  if (!variable->is(Kind::kVariable)) return fail();
  return &arena_.make(Kind::kBigOperator, {body, variable, from, to}, "int");
}

// No value of its own: in "∫ f(x) dx = F(x) + C" it only names the right side.
const Node* Parser::indefinite_integral() {
  std::string name = "\\int";
  while (!done() && !peek().is_symbol('=')) name += ' ' + take().text;
  if (done()) return fail();
  return &arena_.make(Kind::kVariable, {}, std::move(name));
}

// \frac{x\,dx}{1+x^2}: read as (x · d · x) / (1 + x²); nullptr where it is not so.
const Node* Parser::with_differential_in_numerator(const Node& body, const Node* from,
                                                   const Node* to) {
  const auto is_d = [](const Node& node) { return node.is(Kind::kVariable) && node.text == "d"; };
  if (!body.is(Kind::kDivide) || !body.child(0).is(Kind::kMultiply)) return nullptr;
  const Node& numerator = body.child(0);
  const Node* variable = numerator.children[1];
  const Node* rest = nullptr;
  if (is_d(numerator.child(0))) {
    rest = &arena_.number(1);
  } else if (numerator.child(0).is(Kind::kMultiply) && is_d(numerator.child(0).child(1))) {
    rest = numerator.child(0).children[0];
  }
  if (rest == nullptr || !variable->is(Kind::kVariable)) return nullptr;
  const Node& integrand = arena_.make(Kind::kDivide, {rest, body.children[1]});
  return &arena_.make(Kind::kBigOperator, {&integrand, variable, from, to}, "int");
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
