#pragma once

// The comparison of two answers' trees: chooses what kind of thing both are and
// compares them as that. Implemented in comparer.cpp (dispatch), comparer_scalar.cpp
// (numbers, percent, bases, times), comparer_collection.cpp (lists, sets, tuples,
// matrices) and comparer_relation.cpp (equations, inequalities, assignments).

#include <string>
#include <vector>

#include "scorers/math/ast.h"
#include "scorers/math/budget.h"
#include "scorers/math/value.h"

namespace fbt::scorers::math {

struct Outcome {
  Comparison comparison = Comparison::kUndecided;
  const char* rule = "undecided";  // a string literal

  bool equal() const { return comparison == Comparison::kEqual; }
};

class Comparer {
 public:
  Comparer(Arena& arena, Budget& budget) : arena_(arena), budget_(budget) {}

  Outcome compare(const Node& gold, const Node& predicted);

 private:
  bool equal(const Node& a, const Node& b) { return compare(a, b).equal(); }
  Outcome dispatch(const Node& a, const Node& b);
  Outcome in_common_unit(const Node& a, const Node& b);

  // ---- scalars ----
  Outcome scalars(const Node& a, const Node& b);
  Outcome values(const Node& a, const Node& b);
  Outcome percentages(const Node& a, const Node& b);
  Outcome bases(const Node& gold, const Node& predicted);
  Outcome ratios(const Node& a, const Node& b);
  Outcome residue_classes(const Node& a, const Node& b);
  bool same_choice_letter(const Node& a, const Node& b) const;
  bool equal_without_unit_letter(const Node& a, const Node& b);

  // ---- collections ----
  Outcome members(const std::vector<const Node*>& a, const std::vector<const Node*>& b,
                  const char* rule);
  Outcome in_order(const std::vector<const Node*>& a, const std::vector<const Node*>& b,
                   const char* rule);
  Outcome tuples(const Node& a, const Node& b);
  Outcome matrices(const Node& a, const Node& b);
  Outcome piecewise(const Node& a, const Node& b);
  Outcome regions(const Node& a, const Node& b);

  // ---- relations ----
  // One statement of an answer: "name = value", a bare value, or another relation.
  struct Statement {
    const Node* name = nullptr;
    const Node* value = nullptr;     // nullptr: `relation` is no definition
    const Node* relation = nullptr;  // as written, where it is a relation
  };
  Outcome relations(const Node& a, const Node& b);
  Statement statement(const Node& node);
  std::vector<Statement> statements(const Node& node);
  std::vector<Statement> split_tuple(const Statement& statement);
  bool names_unknown(const Node& left, const Node& right) const;
  Outcome one_statement(const Statement& a, const Statement& b);
  Outcome definitions(const Statement& a, const Statement& b);
  Outcome many_statements(std::vector<Statement> a, std::vector<Statement> b);
  Outcome relation_pair(const Node& a, const Node& b);
  Outcome by_name(const std::vector<Statement>& a, const std::vector<Statement>& b);

  static constexpr int kMaxDepth = 40;

  Arena& arena_;
  Budget& budget_;
  int depth_ = 0;
};

}  // namespace fbt::scorers::math
