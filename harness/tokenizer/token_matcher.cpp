#include "harness/tokenizer/token_matcher.h"

#include <algorithm>
#include <utility>

namespace fbt::tokenizer {

TokenMatcher::TokenMatcher(std::vector<Needle> needles) : needles_(std::move(needles)) {
  // std::string compares bytes as unsigned; of equal needles the first given wins.
  std::stable_sort(needles_.begin(), needles_.end(),
                   [](const Needle& a, const Needle& b) { return a.text < b.text; });
  for (const Needle& needle : needles_) {
    begins_needle_[static_cast<unsigned char>(needle.text[0])] = true;
  }
}

bool TokenMatcher::find(std::string_view text, std::size_t from, TokenMatch& match) const {
  if (needles_.empty()) return false;
  for (std::size_t at = from; at < text.size(); ++at) {
    if (!begins_needle_[static_cast<unsigned char>(text[at])]) continue;
    if (const Needle* needle = longest_at_start(text.substr(at))) {
      match = {at, at + needle->text.size(), needle->index};
      return true;
    }
  }
  return false;
}

const TokenMatcher::Needle* TokenMatcher::longest_at_start(std::string_view text) const {
  const Needle* longest = nullptr;
  auto first = needles_.begin();
  auto last = needles_.end();
  for (std::size_t depth = 0; depth < text.size(); ++depth) {
    // All of [first, last) agree with the text up to `depth`, and a needle that
    // ends there would come first: the others are longer.
    const auto byte = static_cast<unsigned char>(text[depth]);
    const auto byte_at_depth = [depth](const Needle& needle) {
      return needle.text.size() <= depth ? -1 : static_cast<unsigned char>(needle.text[depth]);
    };
    first =
        std::partition_point(first, last, [&](const Needle& n) { return byte_at_depth(n) < byte; });
    last = std::partition_point(first, last,
                                [&](const Needle& n) { return byte_at_depth(n) <= byte; });
    if (first == last) break;
    if (first->text.size() == depth + 1) longest = &*first;
  }
  return longest;
}

}  // namespace fbt::tokenizer
