#pragma once

// The recursive-descent parser, shared by the files that implement it:
// parser_statement.cpp (lists, relations, units, prose), parser_expression.cpp
// (sums, products, powers, functions), parser_atom.cpp (everything in brackets,
// fractions, matrices), parser_number.cpp, parser_name.cpp, parser_calculus.cpp (sums,
// integrals, limits) and parser_notation.cpp (notations with a shape of their own).

#include <string>
#include <string_view>
#include <vector>

#include "scorers/math/ast.h"
#include "scorers/math/token.h"

namespace fbt::scorers::math {

class Parser {
 public:
  Parser(const TokenList& list, Arena& arena) : tokens_(list.tokens), arena_(arena) {}

  const Node* answer();

 private:
  // ---- tokens ----
  const Token& peek(std::size_t ahead = 0) const {
    const std::size_t last = tokens_.size() - 1;
    return tokens_[at_ + ahead < last ? at_ + ahead : last];
  }
  const Token& previous() const { return tokens_[at_ > 0 ? at_ - 1 : 0]; }
  const Token& take() { return tokens_[at_ + 1 < tokens_.size() ? at_++ : at_]; }
  bool done() const { return peek().type == TokenType::kEnd; }
  bool accept_symbol(char c);
  bool accept_command(const char* name);
  void expect_symbol(char c);
  void expect_command(const char* name);

  // Gives up: the whole parse fails, and every loop finds the end of the tokens.
  const Node* fail();

  // ---- statements ----
  const Node* list();
  bool starts_conclusion() const;
  void share_modulus(std::vector<const Node*>& items);
  bool at_separator() const;
  bool at_closer() const;
  const Node* item();
  const Node* relation() { return relation_after(operand()); }
  const Node* relation_after(const Node* first);
  char relation_operator();  // consumes it; '\0' where there is none
  const Node* operand();
  const Node* set_expression();
  bool starts_prose() const;
  const Node* prose();
  static bool is_all_reals(std::string_view text);
  const Node* reals_except();
  const Node* phrase(std::string text);
  const Node* with_units(const Node* value);
  bool at_unit() const;
  std::string unit_text();
  const Node* compound_quantity(const Node* first, const std::string& unit);
  const Node* in_base(const Node* digits);
  const Node* ratio(const Node* first);

  // ---- expressions ----
  const Node* sum();
  const Node* product();
  const Node* factor();
  const Node* power();
  const Node* postfix(const Node* base);
  const Node* with_arc_minutes(const Node* degrees);
  const Node* exponent();
  bool starts_factor() const;
  bool closes_ahead() const;
  const Node* function(const std::string& name);
  const Node* function_argument();
  const Node* cis(const Node* angle);
  const Node* logarithm();

  // ---- atoms ----
  const Node* atom();
  const Node* command_atom();
  const Node* domain(const std::string& name);
  const Node* number();
  const Node* number_value(const Token& token);
  const Node* mixed_number(const Node* whole);
  const Node* variable();
  std::string subscript();
  const Node* based_numeral();
  const Node* argument();
  const Node* fraction();
  const Node* root();
  const Node* brackets(char open);
  const Node* braces();
  const Node* group_content();
  const Node* set();
  const Node* angle_brackets();
  const Node* absolute_value();
  const Node* delimited(const char* close, const char* function);
  const Node* matrix(const std::string& environment);
  const Node* named_object(const std::string& accent);
  const Node* big_operator(const std::string& name);
  const Node* integral();
  const Node* indefinite_integral();
  const Node* with_differential_in_numerator(const Node& body, const Node* from, const Node* to);
  const Node* limit();

  // ---- notations ----
  std::size_t group_length() const;
  const Node* selections(const Node* n, bool arranged, const Node* k);
  const Node* selections_with_scripts();
  const Node* selections_of(const Node* n);
  bool holds_event() const;
  const Node* name_with_brackets(std::string name);
  const Node* composition();
  const Node* condition();
  const Node* cases();

  class Depth;

  static constexpr int kMaxDepth = 60;

  std::vector<Token> tokens_;
  Arena& arena_;
  std::size_t at_ = 0;
  int depth_ = 0;
  int absolute_depth_ = 0;
  int integral_depth_ = 0;
  bool failed_ = false;
};

// Counts nesting; `too_deep()` has then failed the parse.
class Parser::Depth {
 public:
  explicit Depth(Parser& parser) : parser_(parser) {
    if (++parser_.depth_ > kMaxDepth) parser_.fail();
  }
  ~Depth() { --parser_.depth_; }
  Depth(const Depth&) = delete;
  Depth& operator=(const Depth&) = delete;
  bool too_deep() const { return parser_.depth_ > kMaxDepth; }

 private:
  Parser& parser_;
};

}  // namespace fbt::scorers::math
