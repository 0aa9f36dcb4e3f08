#pragma once

// What every scorer returns for one completion. Scorers are pure functions of
// (reference, completion): no model, no network, no state, safe to call from
// any number of threads, and they never throw for any input text.

#include <cstddef>
#include <optional>
#include <string>

namespace fbt::scorers {

struct Score {
  bool correct = false;
  // The answer as taken from the completion; empty where none was found.
  std::string extracted;
  // Why: how the answer was found, or which comparison decided ("strict",
  // "boxed:value", "undecided", …). Stable names, fit for counting.
  std::string rule;
  // Byte offset in the completion where the answer span starts (its box, its
  // "####", the number itself): the tokens before it are the reasoning.
  // Absent where no answer was found.
  std::optional<std::size_t> answer_offset;
};

}  // namespace fbt::scorers
