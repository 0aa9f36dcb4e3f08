#include "scorers/math/rewrite.h"

namespace fbt::scorers::math {

namespace {

bool holds_plus_minus(const Node& node) {
  return any_node(node, [](const Node& part) { return part.is(Kind::kPlusMinus); });
}

}  // namespace

const Node& replaced(const Node& node, Arena& arena,
                     const std::function<const Node*(const Node&)>& replace) {
  if (const Node* other = replace(node)) return *other;
  std::vector<const Node*> children;
  bool changed = false;
  for (const Node* child : node.children) {
    children.push_back(&replaced(*child, arena, replace));
    changed = changed || children.back() != child;
  }
  if (!changed) return node;
  Node& copy = arena.make(node.kind);
  copy = node;
  copy.children = std::move(children);
  return copy;
}

const Node& without(const Node& node, Kind kind, Arena& arena) {
  return replaced(node, arena, [&](const Node& part) -> const Node* {
    return part.is(kind) ? &without(part.child(0), kind, arena) : nullptr;
  });
}

const Node& with_sign(const Node& node, bool upper, Arena& arena) {
  return replaced(node, arena, [&](const Node& part) -> const Node* {
    if (!part.is(Kind::kPlusMinus)) return nullptr;
    const bool plus = (part.text == "+") == upper;
    std::vector<const Node*> children;
    for (const Node* child : part.children) children.push_back(&with_sign(*child, upper, arena));
    if (children.size() == 1) {
      return plus ? children[0] : &arena.make(Kind::kNegate, std::move(children));
    }
    return &arena.make(plus ? Kind::kAdd : Kind::kSubtract, std::move(children));
  });
}

std::vector<const Node*> alternatives(const Node& node, Arena& arena) {
  std::vector<const Node*> values;
  if (node.is(Kind::kList) || node.is(Kind::kSet)) {
    for (const Node* child : node.children) {
      // A set within a set or list is a member of its own.
      if (child->is(Kind::kSet)) {
        values.push_back(child);
        continue;
      }
      for (const Node* value : alternatives(*child, arena)) values.push_back(value);
    }
    return values;
  }
  if (!holds_plus_minus(node)) return {&node};
  return {&with_sign(node, true, arena), &with_sign(node, false, arena)};
}

const Node& substitute(const Node& node, const std::string& name, const Node& value, Arena& arena) {
  return replaced(node, arena, [&](const Node& part) -> const Node* {
    return part.is(Kind::kVariable) && part.text == name ? &value : nullptr;
  });
}

}  // namespace fbt::scorers::math
