#include "scorers/math/unit_vectors.h"

#include <optional>
#include <string_view>

#include "scorers/math/rewrite.h"
#include "scorers/math/value.h"

namespace fbt::scorers::math {

namespace {

// 0, 1, 2 for i, j, k.
std::optional<std::size_t> axis_of(const Node& node) {
  if (!node.is(Kind::kVariable)) return std::nullopt;
  for (const std::string_view dress : {"bold ", "\\hat ", "\\vec "}) {
    if (!node.text.starts_with(dress)) continue;
    const std::string_view name = std::string_view(node.text).substr(dress.size());
    if (name == "i" || name == "imath") return 0;
    if (name == "j" || name == "jmath") return 1;
    if (name == "k") return 2;
  }
  return std::nullopt;
}

// `node` with the unit vector of `axis` replaced by 1 and the others by 0.
const Node& along(const Node& node, std::size_t axis, Arena& arena) {
  const Node& one = arena.number(1);
  const Node& zero = arena.number(0);
  return replaced(node, arena, [&](const Node& part) -> const Node* {
    const auto found = axis_of(part);
    if (!found) return nullptr;
    return *found == axis ? &one : &zero;
  });
}

}  // namespace

const Node* unit_vector_components(const Node& node, std::size_t size, Arena& arena,
                                   Budget& budget) {
  constexpr std::size_t kAxes = 3;
  const bool fits = size <= kAxes &&
                    any_node(node, [](const Node& part) { return axis_of(part).has_value(); }) &&
                    !any_node(node, [&](const Node& part) { return axis_of(part) >= size; });
  if (!fits) return nullptr;
  // Linear: nothing is left without the unit vectors.
  const Node& rest = along(node, kAxes, arena);
  if (compare_values(rest, arena.number(0), budget) != Comparison::kEqual) return nullptr;
  Node& tuple = arena.make(Kind::kTuple);
  tuple.open = '<';
  tuple.close = '>';
  for (std::size_t axis = 0; axis < size; ++axis) {
    tuple.children.push_back(&along(node, axis, arena));
  }
  return &tuple;
}

}  // namespace fbt::scorers::math
