#pragma once

// Whether two LaTeX answers say the same thing, by the conventions in
// docs/scorers.md. Pure and thread-safe; any bytes are safe; never throws.

#include <string_view>

namespace fbt::scorers::math {

struct Verdict {
  bool equal = false;
  // Which comparison decided: a string literal, fit for counting ("identical",
  // "value", "set", …). "undecided" where none could; then `equal` is false.
  std::string_view rule;
};

// Both arguments are answers already taken out of their texts (see extract.h).
// Symmetric but for a few conventions where the reference fixes the reading.
Verdict equivalent(std::string_view gold, std::string_view predicted);

}  // namespace fbt::scorers::math
