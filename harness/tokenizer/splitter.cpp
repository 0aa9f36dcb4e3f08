#include "harness/tokenizer/splitter.h"

#include <algorithm>

namespace fbt::tokenizer {
namespace {

// Joins each span to the one before it where `joins(previous, span)`, both as
// they were before any joining. The joined stretch keeps the first's end of it.
template <typename Joins>
void join_adjacent(std::vector<Span>& spans, const Joins& joins) {
  std::vector<Span> joined;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    if (i > 0 && joins(spans[i - 1], spans[i])) {
      joined.back().end = spans[i].end;
    } else {
      joined.push_back(spans[i]);
    }
  }
  spans = std::move(joined);
}

}  // namespace

DelimiterBehavior read_behavior(const JsonNode& node) {
  const std::string name = node.text();
  if (name == "Removed") return DelimiterBehavior::kRemoved;
  if (name == "Isolated") return DelimiterBehavior::kIsolated;
  if (name == "MergedWithPrevious") return DelimiterBehavior::kMergedWithPrevious;
  if (name == "MergedWithNext") return DelimiterBehavior::kMergedWithNext;
  if (name == "Contiguous") return DelimiterBehavior::kContiguous;
  node.refuse(name + " behavior");
}

void apply_behavior(DelimiterBehavior behavior, std::vector<Span>& spans) {
  switch (behavior) {
    case DelimiterBehavior::kIsolated:
      return;
    case DelimiterBehavior::kRemoved:
      std::erase_if(spans, [](const Span& span) { return span.is_delimiter; });
      return;
    case DelimiterBehavior::kMergedWithPrevious:
      return join_adjacent(spans, [](const Span& previous, const Span& span) {
        return span.is_delimiter && !previous.is_delimiter;
      });
    case DelimiterBehavior::kMergedWithNext:
      return join_adjacent(spans, [](const Span& previous, const Span& span) {
        return previous.is_delimiter && !span.is_delimiter;
      });
    case DelimiterBehavior::kContiguous:
      return join_adjacent(spans, [](const Span& previous, const Span& span) {
        return previous.is_delimiter == span.is_delimiter;
      });
  }
}

}  // namespace fbt::tokenizer
