#pragma once

// GSM8K answers. Two filters take what lm-eval's take, byte for byte, and
// compare as its exact match does; the third is the forgiving numeric
// comparison that chat models are given.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "scorers/score.h"

namespace fbt::scorers {

enum class Gsm8kFilter {
  kStrict,    // the number after the first "#### " (lm-eval's strict-match)
  kFlexible,  // the last thing that looks like a number (lm-eval's flexible-extract)
  kChat,      // last \boxed{}, else "#### n", else "answer is n", else the last
              // number; compared by value ($29.00 = 29)
};

// "strict", "flexible" or "chat"; also the rule that a Score names.
std::string_view gsm8k_filter_name(Gsm8kFilter filter);

struct Gsm8kAnswer {
  std::string text;    // as the filter takes it, not normalised
  std::size_t offset;  // byte offset in the completion where the span starts
};

// The answer that `filter` takes from a completion, or nothing.
std::optional<Gsm8kAnswer> extract_gsm8k(std::string_view completion, Gsm8kFilter filter);

// `gold` is a number or a whole reference solution that ends in "#### N".
// The rule is the filter's name; for kChat with how the answer was found:
// "chat:boxed", "chat:hashes", "chat:phrase", "chat:last_number"; "no_answer"
// where the filter takes nothing (lm-eval's "[invalid]", never correct).
Score score_gsm8k(std::string_view gold, std::string_view completion, Gsm8kFilter filter);

}  // namespace fbt::scorers
