#pragma once

// MATH-style completions: extraction, then equivalence.

#include <string_view>

#include "scorers/score.h"

namespace fbt::scorers::math {

// `gold` is the reference answer itself (MATH-500's `answer`) or, where it holds a
// \boxed{}, a reference solution whose last box is taken. The rule of the score
// is "EXTRACTION:COMPARISON" ("boxed:value"), "no_answer" where the completion
// holds none, and "undecided" where an answer was found but not understood.
Score grade(std::string_view gold, std::string_view completion);

}  // namespace fbt::scorers::math
