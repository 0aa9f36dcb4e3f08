#pragma once

// Training or held out. What a generator may draw is split by its content, not
// by the seed: no seed ever brings a held-out problem into training text.

#include <string_view>

namespace fbt::synthetic {

enum class Side { kTraining, kHeldOut };

// "training", "held-out".
std::string_view side_name(Side side);

// Throws InputError with the known names.
Side parse_side(std::string_view name);

// The side that whatever is named by `content` belongs to: one in eight is held out.
Side side_of(std::string_view content);

}  // namespace fbt::synthetic
