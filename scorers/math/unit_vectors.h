#pragma once

// Vectors written with unit vectors: 2i + 3j in bold letters or under hats.

#include "scorers/math/ast.h"
#include "scorers/math/budget.h"

namespace fbt::scorers::math {

// The components of `node` as a tuple ⟨2, 3⟩ of so many members; nullptr where it holds
// no unit vector or one beyond them.
const Node* unit_vector_components(const Node& node, std::size_t size, Arena& arena,
                                   Budget& budget);

}  // namespace fbt::scorers::math
