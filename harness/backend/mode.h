#pragma once

// The three decoding modes (DESIGN.md §1), named as in the paper.

#include <string_view>
#include <vector>

namespace fbt {

enum class Mode {
  kStandard,  // plain prompt, plain generated positions
  kSoft,      // plain prompt, generated positions fused with the previous state
  kFused,     // prompt after --feedback-steps fused passes, fused generated positions
};

// "standard", "soft", "fused".
std::string_view mode_name(Mode mode);

// Throws InputError with the nearest names.
Mode parse_mode(std::string_view name);

// A comma list, duplicates dropped, order kept. Throws InputError.
std::vector<Mode> parse_modes(std::string_view list);

// Whether the mode needs the checkpoint's feedback weights.
bool needs_feedback(Mode mode);

}  // namespace fbt
