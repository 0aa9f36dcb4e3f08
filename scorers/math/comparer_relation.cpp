#include <algorithm>
#include <set>

#include "scorers/math/comparer.h"
#include "scorers/math/equation.h"
#include "scorers/math/region.h"
#include "scorers/math/rewrite.h"

namespace fbt::scorers::math {

namespace {

bool is_variable_like(const Node& node) {
  return node.is(Kind::kVariable) || node.is(Kind::kApply);
}

bool has_variables(const Node& node) {
  return !variables_of(node).empty() ||
         any_node(node, [](const Node& part) { return part.is(Kind::kApply); });
}

bool occurs(const std::string& name, const Node& node) {
  const std::vector<std::string> names = variables_of(node);
  return std::find(names.begin(), names.end(), name) != names.end();
}

// A product of names that reads as one: AB, m∠B, Δy, dy.
bool is_compound_name(const Node& node) {
  if (node.is(Kind::kVariable)) return true;
  if (!node.is(Kind::kMultiply)) return false;
  const Node* first = &node;
  while (first->is(Kind::kMultiply)) first = first->children[0];
  if (!first->is(Kind::kVariable)) return false;
  const std::string& text = first->text;
  const bool prefix = text == "d" || text == "\\partial" || text == "m" || text == "\\Delta" ||
                      (text[0] >= 'A' && text[0] <= 'Z');
  return prefix && is_compound_name(node.child(0)) && node.child(1).is(Kind::kVariable);
}

// dy/dx, ∂f/∂x
bool is_derivative(const Node& node) {
  const auto is_differential = [](const Node& part) {
    if (!part.is(Kind::kMultiply) || !is_compound_name(part)) return false;
    const Node* first = &part;
    while (first->is(Kind::kMultiply)) first = first->children[0];
    return first->text == "d" || first->text == "\\partial";
  };
  return node.is(Kind::kDivide) && is_differential(node.child(0)) && is_differential(node.child(1));
}

// The left side of "a ≈ b" where it is a value; else the node itself.
const Node& before_rounding(const Node& node) {
  const bool rounding = node.is(Kind::kRelation) && node.text == "~";
  return rounding && !has_variables(node.child(0)) ? node.child(0) : node;
}

bool only(const std::string& operators, std::string_view allowed) {
  return operators.find_first_not_of(allowed) == std::string::npos;
}

}  // namespace

// Whether the left side of "left = right" is only a name for the right side.
bool Comparer::names_unknown(const Node& left, const Node& right) const {
  if (left.is(Kind::kVariable)) return !occurs(left.text, right);
  if (left.is(Kind::kApply) || is_derivative(left)) return true;
  if (left.is(Kind::kTuple)) {
    return std::all_of(left.children.begin(), left.children.end(),
                       [](const Node* child) { return is_variable_like(*child); });
  }
  if (left.is(Kind::kConstant) && left.text != "infty") return !has_variables(right);
  if (has_variables(right)) return false;
  if (left.is(Kind::kRatio)) {  // A : B = 2 : 3
    return std::all_of(left.children.begin(), left.children.end(),
                       [](const Node* child) { return is_compound_name(*child); });
  }
  if (left.is(Kind::kDivide)) {  // AB / CD = 2/3, a / b = 2/3
    return is_compound_name(left.child(0)) && is_compound_name(left.child(1));
  }
  if (left.is_function("abs") || left.is_function("norm") || left.is_function("det")) {
    return has_variables(left);
  }
  return is_compound_name(left);
}

Comparer::Statement Comparer::statement(const Node& node) {
  Statement result;
  if (!node.is(Kind::kRelation)) {
    result.value = &node;
    return result;
  }
  result.relation = &node;
  std::string operators = node.text;
  std::vector<const Node*> operands = node.children;
  // "x = 1/3 ≈ 0.33": the approximation is a remark.
  while (operators.size() > 1 && operators.back() == '~') {
    operators.pop_back();
    operands.pop_back();
  }
  const Node& first = *operands.front();
  const Node& last = *operands.back();
  if (operators == "e") {
    if (is_variable_like(first) || first.is(Kind::kTuple)) {
      result.name = &first;
      result.value = &last;
    }
    return result;
  }
  if (operators == "~" || operators == "=~") operators.assign(operators.size(), '=');
  if (!only(operators, "=")) return result;
  // "f(x) = 3 = …" and chains: what counts is the last member.
  const bool settled = !has_variables(first) && !has_variables(last);
  if (settled) {
    result.value = &last;
    return result;
  }
  if (names_unknown(first, last)) {
    result.name = &first;
    result.value = &last;
  } else if (operands.size() == 2 && names_unknown(last, first) && !has_variables(first)) {
    result.name = &last;  // 5 = x
    result.value = &first;
  } else if (operands.size() > 2 && !has_variables(last)) {
    result.value = &last;
  } else if (compare_values(first, last, budget_) == Comparison::kEqual) {
    result.value = &last;  // an identity: a calculation, no equation
  }
  return result;
}

std::vector<Comparer::Statement> Comparer::statements(const Node& node) {
  std::vector<Statement> result;
  if (!node.is(Kind::kList)) {
    result.push_back(statement(node));
  } else {
    // In "x = -2, 5" the name holds for what follows.
    const Node* name = nullptr;
    for (const Node* child : node.children) {
      Statement next = statement(*child);
      if (next.name != nullptr) name = next.name;
      if (next.name == nullptr && next.relation == nullptr) next.name = name;
      result.push_back(next);
    }
  }
  std::vector<Statement> expanded;
  for (const Statement& each : result) {
    if (each.value == nullptr) {
      expanded.push_back(each);
      continue;
    }
    for (const Node* value : alternatives(*each.value, arena_)) {
      expanded.push_back({each.name, value, each.relation});
    }
  }
  return expanded;
}

Outcome Comparer::relations(const Node& a, const Node& b) {
  // "12/35 ≈ 0.343" gives a value and its rounding: either will do.
  const Node& exact_a = before_rounding(a);
  const Node& exact_b = before_rounding(b);
  if (&exact_a != &a || &exact_b != &b) {
    const Outcome outcome = compare(exact_a, exact_b);
    if (outcome.equal()) return outcome;
  }
  std::vector<Statement> left = statements(a);
  std::vector<Statement> right = statements(b);
  if (left.size() == 1 && right.size() == 1) return one_statement(left[0], right[0]);
  return many_statements(std::move(left), std::move(right));
}

Outcome Comparer::one_statement(const Statement& a, const Statement& b) {
  if (a.value != nullptr && b.value != nullptr) {
    if (a.name != nullptr && b.name != nullptr) return definitions(a, b);
    return compare(*a.value, *b.value);
  }
  if (a.relation != nullptr && b.relation != nullptr)
    return relation_pair(*a.relation, *b.relation);
  // An equation in several unknowns is not one of its sides.
  return {Comparison::kDifferent, "relation"};
}

// name = value on both sides.
Outcome Comparer::definitions(const Statement& a, const Statement& b) {
  if (same_tree(*a.name, *b.name)) return compare(*a.value, *b.value);
  // f(x) = … and f(t) = …: the argument's name is free.
  const bool calls = a.name->is(Kind::kApply) && b.name->is(Kind::kApply) &&
                     a.name->text == b.name->text && a.name->children.size() == 1 &&
                     b.name->children.size() == 1 && a.name->child(0).is(Kind::kVariable) &&
                     b.name->child(0).is(Kind::kVariable);
  if (calls) {
    return compare(*a.value, substitute(*b.value, b.name->child(0).text, a.name->child(0), arena_));
  }
  // y = 3x - 4 and f(x) = 3x - 4.
  if (a.name->is(Kind::kApply) != b.name->is(Kind::kApply)) return compare(*a.value, *b.value);
  const bool stated = a.relation != nullptr && b.relation != nullptr;
  if (stated && has_variables(*a.value) && has_variables(*b.value)) {
    return relation_pair(*a.relation, *b.relation);
  }
  return {Comparison::kDifferent, "name"};
}

std::vector<Comparer::Statement> Comparer::split_tuple(const Statement& whole) {
  std::vector<Statement> parts;
  if (whole.value == nullptr || !whole.value->is(Kind::kTuple)) return {whole};
  const bool named = whole.name != nullptr && whole.name->is(Kind::kTuple) &&
                     whole.name->children.size() == whole.value->children.size();
  for (std::size_t i = 0; i < whole.value->children.size(); ++i) {
    parts.push_back({named ? whole.name->children[i] : nullptr, whole.value->children[i], nullptr});
  }
  return parts;
}

Outcome Comparer::by_name(const std::vector<Statement>& a, const std::vector<Statement>& b) {
  if (a.size() != b.size()) return {Comparison::kDifferent, "assignment"};
  std::vector<bool> used(b.size());
  for (const Statement& statement : a) {
    bool found = false;
    for (std::size_t j = 0; j < b.size() && !found; ++j) {
      if (used[j] || !same_tree(*statement.name, *b[j].name)) continue;
      found = equal(*statement.value, *b[j].value);
      if (found) used[j] = true;
    }
    if (!found) return {Comparison::kDifferent, "assignment"};
  }
  return {Comparison::kEqual, "assignment"};
}

Outcome Comparer::many_statements(std::vector<Statement> a, std::vector<Statement> b) {
  const auto several_names = [](const std::vector<Statement>& list) {
    const Node* first = nullptr;
    for (const Statement& statement : list) {
      if (statement.name == nullptr) continue;
      if (first != nullptr && !same_tree(*first, *statement.name)) return true;
      first = statement.name;
    }
    return false;
  };
  const auto all_named = [](const std::vector<Statement>& list) {
    return std::all_of(list.begin(), list.end(), [](const Statement& statement) {
      return statement.name != nullptr && statement.value != nullptr;
    });
  };
  const auto values_of = [](const std::vector<Statement>& list) {
    std::vector<const Node*> values;
    for (const Statement& statement : list) values.push_back(statement.value);
    return values;
  };
  // (a, b) = (2, -1) against a = 2, b = -1.
  if (several_names(a) && b.size() == 1) b = split_tuple(b[0]);
  if (several_names(b) && a.size() == 1) a = split_tuple(a[0]);
  const auto complete = [](const std::vector<Statement>& list) {
    return std::all_of(list.begin(), list.end(),
                       [](const Statement& statement) { return statement.value != nullptr; });
  };
  if (complete(a) && complete(b)) {
    if (several_names(a) || several_names(b)) {
      if (all_named(a) && all_named(b)) return by_name(a, b);
      return in_order(values_of(a), values_of(b), "assignment");
    }
    const Node* left = a.empty() ? nullptr : a[0].name;
    const Node* right = b.empty() ? nullptr : b[0].name;
    const bool renamed_call = left != nullptr && right != nullptr && left->is(Kind::kApply) &&
                              right->is(Kind::kApply) && left->text == right->text;
    if (left != nullptr && right != nullptr && !same_tree(*left, *right) && !renamed_call) {
      return {Comparison::kDifferent, "name"};
    }
    return members(values_of(a), values_of(b), "list");
  }
  // A system: the same statements in any order.
  if (a.size() != b.size()) return {Comparison::kDifferent, "system"};
  std::vector<bool> used(b.size());
  for (const Statement& statement : a) {
    bool found = false;
    for (std::size_t j = 0; j < b.size() && !found; ++j) {
      if (used[j]) continue;
      found = one_statement(statement, b[j]).equal();
      if (found) used[j] = true;
    }
    if (!found) return {Comparison::kDifferent, "system"};
  }
  return {Comparison::kEqual, "system"};
}

// Two relations of which at least one is no definition.
Outcome Comparer::relation_pair(const Node& a, const Node& b) {
  if (a.text == "=" && b.text == "=") {
    const Comparison comparison = same_equation(a, b, arena_, budget_);
    return {comparison, comparison == Comparison::kUndecided ? "undecided" : "equation"};
  }
  const auto inequality = [](const Node& node) {
    return node.text.size() == 1 && only(node.text, "<>lg");
  };
  if (inequality(a) && inequality(b)) {
    const Comparison comparison = same_inequality(a, b, arena_, budget_);
    if (comparison != Comparison::kUndecided) return {comparison, "inequality"};
  }
  // Chains: the same members in the same order, read from the small end.
  const auto ascending = [](const Node& node) {
    std::pair<std::string, std::vector<const Node*>> chain{node.text, node.children};
    if (!only(node.text, ">g=") || only(node.text, "=")) return chain;
    std::reverse(chain.first.begin(), chain.first.end());
    std::reverse(chain.second.begin(), chain.second.end());
    for (char& code : chain.first) code = code == '>' ? '<' : code == 'g' ? 'l' : code;
    return chain;
  };
  const auto left = ascending(a);
  const auto right = ascending(b);
  if (left.first != right.first) return {Comparison::kDifferent, "relation"};
  const Outcome outcome = in_order(left.second, right.second, "relation");
  const bool symmetric = left.first == "n" && left.second.size() == 2;
  if (outcome.equal() || !symmetric) return outcome;
  return in_order(left.second, {right.second[1], right.second[0]}, "relation");
}

}  // namespace fbt::scorers::math
