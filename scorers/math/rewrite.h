#pragma once

// Small rewritings of trees that the comparisons share. All return nodes of the
// arena, or the node itself where nothing changes.

#include <functional>
#include <string>
#include <vector>

#include "scorers/math/ast.h"

namespace fbt::scorers::math {

// The tree built anew where `replace` returns another node for a part; nullptr from it
// keeps the part and goes on below it.
const Node& replaced(const Node& node, Arena& arena,
                     const std::function<const Node*(const Node&)>& replace);

// Every node of `kind` replaced by its first child: without degree signs, say.
const Node& without(const Node& node, Kind kind, Arena& arena);

// `node` with every ± read as + and every ∓ as - (upper), or the other way round.
const Node& with_sign(const Node& node, bool upper, Arena& arena);

// The values that `node` stands for: two where it holds a ±, else itself. The members
// of a list or set are expanded one by one.
std::vector<const Node*> alternatives(const Node& node, Arena& arena);

// `node` with the variable `name` replaced.
const Node& substitute(const Node& node, const std::string& name, const Node& value, Arena& arena);

}  // namespace fbt::scorers::math
