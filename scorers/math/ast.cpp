#include "scorers/math/ast.h"

#include <algorithm>

namespace fbt::scorers::math {

Node& Arena::make(Kind kind) {
  nodes_.emplace_back();
  nodes_.back().kind = kind;
  return nodes_.back();
}

const Node& Arena::number(mpq_class value, std::string literal) {
  Node& node = make(Kind::kNumber);
  node.number = &keep(std::move(value));
  node.text = std::move(literal);
  return node;
}

const Node& Arena::make(Kind kind, std::vector<const Node*> children, std::string text) {
  Node& node = make(kind);
  node.children = std::move(children);
  node.text = std::move(text);
  return node;
}

const mpq_class& Arena::keep(mpq_class value) {
  numbers_.push_back(std::move(value));
  return numbers_.back();
}

bool same_tree(const Node& a, const Node& b) {
  if (a.kind != b.kind || a.children.size() != b.children.size() || a.rows != b.rows ||
      a.open != b.open || a.close != b.close) {
    return false;
  }
  if (a.is(Kind::kNumber)) return *a.number == *b.number;
  if (a.text != b.text) return false;
  if (a.number != nullptr && *a.number != *b.number) return false;
  for (std::size_t i = 0; i < a.children.size(); ++i) {
    if (!same_tree(a.child(i), b.child(i))) return false;
  }
  return true;
}

namespace {

void collect_variables(const Node& node, std::vector<std::string>& names) {
  if (node.is(Kind::kVariable)) names.push_back(node.text);
  if (node.is(Kind::kBigOperator) && node.children.size() > 1) {
    // The running variable is bound: it is no unknown of the body.
    std::vector<std::string> inner;
    collect_variables(node.child(0), inner);
    std::erase(inner, node.child(1).text);
    names.insert(names.end(), inner.begin(), inner.end());
    for (std::size_t i = 2; i < node.children.size(); ++i) collect_variables(node.child(i), names);
    return;
  }
  for (const Node* child : node.children) collect_variables(*child, names);
}

}  // namespace

std::vector<std::string> variables_of(const Node& node) {
  std::vector<std::string> names;
  collect_variables(node, names);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace fbt::scorers::math
