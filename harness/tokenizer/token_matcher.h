#pragma once

// Finds many fixed strings in one walk over a text.

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fbt::tokenizer {

struct TokenMatch {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t index = 0;  // into the list of needles
};

// Immutable once built. A sorted list read as a trie: at each place, the range
// of needles that agree with the text so far narrows byte by byte. Takes
// O(text · longest needle · log needles) at worst, one look-up a byte for text
// that begins no needle.
class TokenMatcher {
 public:
  struct Needle {
    std::string text;  // not empty
    std::size_t index;
  };

  TokenMatcher() = default;
  explicit TokenMatcher(std::vector<Needle> needles);

  // The leftmost match at or after `from`, the longest of those that begin
  // there. False where there is none.
  bool find(std::string_view text, std::size_t from, TokenMatch& match) const;

 private:
  // The longest needle at the start of `text`, or null.
  const Needle* longest_at_start(std::string_view text) const;

  std::vector<Needle> needles_;            // sorted by their bytes
  std::array<bool, 256> begins_needle_{};  // [first byte]
};

}  // namespace fbt::tokenizer
