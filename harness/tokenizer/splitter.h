#pragma once

// Cutting a text at delimiters, with Hugging Face's five behaviours.

#include <string>
#include <string_view>
#include <vector>

#include "harness/tokenizer/json_node.h"

namespace fbt::tokenizer {

// What becomes of the delimiters.
enum class DelimiterBehavior {
  kRemoved,
  kIsolated,
  kMergedWithPrevious,
  kMergedWithNext,
  kContiguous
};

// "Removed", "Isolated", "MergedWithPrevious", "MergedWithNext" or
// "Contiguous". Throws InputError.
DelimiterBehavior read_behavior(const JsonNode& node);

// A stretch of a text: a delimiter, or what stands between two.
struct Span {
  std::size_t begin;
  std::size_t end;
  bool is_delimiter;
};

// Turns spans that cover a text, in order, into the stretches it is cut into.
void apply_behavior(DelimiterBehavior behavior, std::vector<Span>& spans);

}  // namespace fbt::tokenizer
