#pragma once

// Added tokens: contents that become their ids wherever they stand in a text,
// before anything else looks at it.

#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "harness/tokenizer/json_node.h"
#include "harness/tokenizer/normalizer.h"
#include "harness/tokenizer/token_matcher.h"

namespace fbt::tokenizer {

struct AddedToken {
  std::string content;
  int id = 0;
  bool special = false;
  bool normalized = false;   // matched in the normalized text, else in the text as given
  bool left_strip = false;   // takes the white space before it along
  bool right_strip = false;  // and the white space after it
  bool single_word = false;  // only where no word character touches it
};

// The array `added_tokens`. Throws InputError.
std::vector<AddedToken> read_added_tokens(const JsonNode& node);

// A stretch of a text: an added token, or what lies between two.
struct Segment {
  std::string_view text;
  const AddedToken* token = nullptr;  // null: ordinary text
};

// Immutable; any number of threads may use it at once.
class AddedTokens {
 public:
  AddedTokens() = default;
  // `normalizer` (may be null) is used here only.
  AddedTokens(std::vector<AddedToken> tokens, const Normalizer* normalizer);

  // Cuts a text as given at tokens that are not `normalized`, or a normalized
  // one at those that are. Empty stretches are left out. Without
  // `parse_special`, special tokens are ordinary text.
  std::vector<Segment> split_given(std::string_view text, bool parse_special) const;
  std::vector<Segment> split_normalized(std::string_view text, bool parse_special) const;

  bool is_special(int id) const { return special_ids_.contains(id); }

 private:
  std::vector<Segment> split(const TokenMatcher& matcher, std::string_view text,
                             bool parse_special) const;

  std::vector<AddedToken> tokens_;
  std::unordered_set<int> special_ids_;
  TokenMatcher given_;
  TokenMatcher normalized_;
};

}  // namespace fbt::tokenizer
