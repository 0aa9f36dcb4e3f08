#pragma once

// Tokens to a syntax tree.

#include "scorers/math/ast.h"
#include "scorers/math/token.h"

namespace fbt::scorers::math {

// The answer's tree, or nullptr where it is no mathematics that this reader
// knows. Depth is bounded, so any token list is safe.
const Node* parse_answer(const TokenList& tokens, Arena& arena);

}  // namespace fbt::scorers::math
