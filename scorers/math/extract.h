#pragma once

// Taking the final answer out of a whole completion.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace fbt::scorers::math {

struct Box {
  std::string_view content;  // between the braces, nested braces kept
  std::size_t offset;        // of the backslash of \boxed or \fbox
  std::size_t end;           // one past the closing brace
};

// The last \boxed{…} or \fbox{…} of the text, or "\boxed x" with a single
// token. Boxes whose braces never close are passed over.
std::optional<Box> last_box(std::string_view text);

struct Extraction {
  std::string answer;
  std::size_t offset;     // byte offset in the completion where the answer span starts
  std::string_view rule;  // "boxed", "final_answer", …: a string literal
};

// The final answer of a completion by the first rule that applies; nothing
// where no rule does. See docs/scorers.md for the rules.
std::optional<Extraction> extract_answer(std::string_view completion);

}  // namespace fbt::scorers::math
