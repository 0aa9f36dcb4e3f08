#include "harness/tokenizer/added_tokens.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "harness/tokenizer/unicode_classes.h"
#include "harness/tokenizer/vocabulary.h"

namespace fbt::tokenizer {
namespace {

using CharacterClass = bool (*)(char32_t);

bool starts_with(std::string_view text, CharacterClass is_member) {
  std::size_t offset = 0;
  return !text.empty() && is_member(next_code_point(text, offset));
}

// Where the last character of `text` (not empty, valid UTF-8) begins.
std::size_t last_character(std::string_view text) {
  std::size_t begin = text.size() - 1;
  while (begin > 0 && (static_cast<unsigned char>(text[begin]) & 0xC0) == 0x80) --begin;
  return begin;
}

bool ends_with(std::string_view text, CharacterClass is_member) {
  return !text.empty() && starts_with(text.substr(last_character(text)), is_member);
}

// Bytes of white space at the start.
std::size_t leading_white_space(std::string_view text) {
  std::size_t size = 0;
  while (starts_with(text.substr(size), is_white_space)) next_code_point(text, size);
  return size;
}

// `text` without the white space at its end.
std::string_view without_trailing_white_space(std::string_view text) {
  while (ends_with(text, is_white_space)) text = text.substr(0, last_character(text));
  return text;
}

}  // namespace

std::vector<AddedToken> read_added_tokens(const JsonNode& node) {
  std::vector<AddedToken> tokens;
  for (std::size_t i = 0; i < node.size(); ++i) {
    const JsonNode entry = node.at(i);
    AddedToken token;
    token.content = entry.at("content").text();
    token.id = static_cast<int>(entry.at("id").number(Vocabulary::kLargestId));
    token.special = entry.flag_or("special", false);
    token.normalized = entry.flag_or("normalized", !token.special);
    token.left_strip = entry.flag_or("lstrip", false);
    token.right_strip = entry.flag_or("rstrip", false);
    token.single_word = entry.flag_or("single_word", false);
    if (token.content.empty()) entry.at("content").fail("should not be empty");
    tokens.push_back(std::move(token));
  }
  return tokens;
}

AddedTokens::AddedTokens(std::vector<AddedToken> tokens, const Normalizer* normalizer)
    : tokens_(std::move(tokens)) {
  std::vector<TokenMatcher::Needle> given;
  std::vector<TokenMatcher::Needle> normalized;
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    const AddedToken& token = tokens_[i];
    if (token.special) special_ids_.insert(token.id);
    if (!token.normalized) {
      given.push_back({token.content, i});
      continue;
    }
    std::string text = normalizer ? normalizer->normalize(token.content) : token.content;
    if (!text.empty()) normalized.push_back({std::move(text), i});
  }
  given_ = TokenMatcher(std::move(given));
  normalized_ = TokenMatcher(std::move(normalized));
}

std::vector<Segment> AddedTokens::split_given(std::string_view text, bool parse_special) const {
  return split(given_, text, parse_special);
}

std::vector<Segment> AddedTokens::split_normalized(std::string_view text,
                                                   bool parse_special) const {
  return split(normalized_, text, parse_special);
}

std::vector<Segment> AddedTokens::split(const TokenMatcher& matcher, std::string_view text,
                                        bool parse_special) const {
  std::vector<Segment> segments;
  std::size_t covered = 0;  // everything before is in a segment
  TokenMatch match;
  for (std::size_t from = 0; matcher.find(text, from, match); from = match.end) {
    const AddedToken& token = tokens_[match.index];
    if (token.special && !parse_special) continue;
    const std::string_view before = text.substr(0, match.begin);
    const std::string_view after = text.substr(match.end);
    if (token.single_word &&
        (ends_with(before, is_word_character) || starts_with(after, is_word_character))) {
      continue;
    }
    std::size_t begin = match.begin;
    if (token.left_strip) begin = std::max(covered, without_trailing_white_space(before).size());
    if (covered < begin) segments.push_back({text.substr(covered, begin - covered)});
    covered = match.end + (token.right_strip ? leading_white_space(after) : 0);
    segments.push_back({text.substr(begin, covered - begin), &token});
  }
  if (covered < text.size()) segments.push_back({text.substr(covered)});
  return segments;
}

}  // namespace fbt::tokenizer
