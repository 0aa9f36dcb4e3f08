#pragma once

// Unicode mathematics as LaTeX.

#include <string>
#include <string_view>

namespace fbt::scorers::math {

// "x² ≤ √3" becomes "x^{2} \le \surd 3"; other characters stay as they are.
std::string transliterate(std::string_view text);

}  // namespace fbt::scorers::math
