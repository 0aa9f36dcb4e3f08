#include "scorers/math/parser_impl.h"

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
