#pragma once

// The syntax tree of an answer. Nodes live in an arena and never change.

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include <gmpxx.h>

namespace fbt::scorers::math {

enum class Kind : std::uint8_t {
  kNumber,        // number; `text` is the literal as written for decimals
  kConstant,      // text: "pi", "e", "i", "infty"
  kVariable,      // text: the name with its subscript and primes
  kEllipsis,      // "…" among terms, factors or members
  kText,          // text: normalised prose
  kAdd,           // a + b
  kSubtract,      // a - b
  kMultiply,      // a b
  kDivide,        // a / b
  kNegate,        // -a
  kPower,         // a ^ b
  kPlusMinus,     // a ± b, or ±b with one child; text "+" or, for ∓, "-"
  kFunction,      // text: "sqrt", "root", "ln", "log", "sin", …, see function.h
  kApply,         // f(x) of an unknown f; text: its name
  kBigOperator,   // text: "sum", "prod", "int", "lim"; children: body, variable, from, to
  kPercent,       // a %
  kDegree,        // a °
  kBased,         // text: digits; number: the base
  kRatio,         // a : b : c, or a time of day; text: "", "am" or "pm"
  kTuple,         // open and close tell (, [, ] and <
  kSet,           // { … }
  kSetBuilder,    // { variable | condition }; a third child: the domain, where not ℝ
  kList,          // bare comma list; text: "," or "and" or "or"
  kSetOperation,  // text: "cup", "cap", "setminus"
  kDomain,        // text: "R", "Z", "N", "Q", "C" or "empty"
  kMatrix,        // children row by row
  kPiecewise,     // value, condition, value, condition, …
  kRelation,      // operands; text: one character for each operator, see relation.h
  kModulo,        // a (mod b)
  kQuantity,      // one child and its unit in text
};

struct Node {
  Kind kind = Kind::kNumber;
  char open = '\0';            // kTuple
  char close = '\0';           // kTuple
  bool ellipsis = false;       // kNumber: written with "…"
  bool parenthesised = false;  // stood alone in ( )
  int rows = 0;                // kMatrix
  const mpq_class* number = nullptr;
  std::string text;
  std::vector<const Node*> children;

  const Node& child(std::size_t i) const { return *children[i]; }
  bool is(Kind other) const { return kind == other; }
  bool is_function(const char* name) const { return kind == Kind::kFunction && text == name; }
};

// Owns nodes and numbers; references stay valid as long as the arena lives.
class Arena {
 public:
  Node& make(Kind kind);
  const Node& number(mpq_class value, std::string literal = {});
  const Node& make(Kind kind, std::vector<const Node*> children, std::string text = {});
  const mpq_class& keep(mpq_class value);
  std::size_t size() const { return nodes_.size(); }

 private:
  std::deque<Node> nodes_;
  std::deque<mpq_class> numbers_;
};

// Equal in every part, order included.
bool same_tree(const Node& a, const Node& b);

// The names of all variables below `node`, sorted, each once.
std::vector<std::string> variables_of(const Node& node);

// Whether any node below (or the node itself) satisfies `predicate`.
template <typename Predicate>
bool any_node(const Node& node, const Predicate& predicate) {
  if (predicate(node)) return true;
  for (const Node* child : node.children) {
    if (any_node(*child, predicate)) return true;
  }
  return false;
}

}  // namespace fbt::scorers::math
