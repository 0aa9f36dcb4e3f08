#include "base/utf8.h"

#include <algorithm>

namespace fbt {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

struct Sequence {
  std::size_t length;  // bytes a sequence with this lead takes; 0: not a lead
  unsigned char low;   // allowed range of the second byte (Unicode Standard, table 3-7)
  unsigned char high;
};

Sequence sequence_of(unsigned char lead) {
  if (lead < 0x80) return {1, 0, 0};
  if (lead >= 0xC2 && lead <= 0xDF) return {2, 0x80, 0xBF};
  if (lead == 0xE0) return {3, 0xA0, 0xBF};
  if (lead == 0xED) return {3, 0x80, 0x9F};
  if (lead >= 0xE1 && lead <= 0xEF) return {3, 0x80, 0xBF};
  if (lead == 0xF0) return {4, 0x90, 0xBF};
  if (lead >= 0xF1 && lead <= 0xF3) return {4, 0x80, 0xBF};
  if (lead == 0xF4) return {4, 0x80, 0x8F};
  return {0, 0, 0};
}

// Valid bytes of the sequence at `offset` so far, the lead included; 0 where
// the lead is no lead.
std::size_t valid_bytes(std::string_view text, std::size_t offset, const Sequence& sequence) {
  if (sequence.length == 0) return 0;
  std::size_t count = 1;
  while (count < sequence.length && offset + count < text.size()) {
    const auto byte = static_cast<unsigned char>(text[offset + count]);
    const unsigned char low = count == 1 ? sequence.low : 0x80;
    const unsigned char high = count == 1 ? sequence.high : 0xBF;
    if (byte < low || byte > high) break;
    ++count;
  }
  return count;
}

}  // namespace

char32_t next_code_point(std::string_view text, std::size_t& offset) {
  const auto lead = static_cast<unsigned char>(text[offset]);
  const Sequence sequence = sequence_of(lead);
  if (sequence.length == 1) {
    ++offset;
    return lead;
  }
  if (sequence.length == 0 || valid_bytes(text, offset, sequence) < sequence.length) {
    ++offset;
    return kReplacement;
  }
  char32_t code_point = lead & (0xFF >> (sequence.length + 1));
  for (std::size_t i = 1; i < sequence.length; ++i) {
    code_point = (code_point << 6) | (static_cast<unsigned char>(text[offset + i]) & 0x3F);
  }
  offset += sequence.length;
  return code_point;
}

std::size_t count_code_points(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t offset = 0; offset < text.size(); ++count) next_code_point(text, offset);
  return count;
}

void append_utf8(std::string& text, char32_t code_point) {
  if (code_point > 0x10FFFF || (code_point >= 0xD800 && code_point <= 0xDFFF)) {
    code_point = kReplacement;
  }
  if (code_point < 0x80) {
    text += static_cast<char>(code_point);
  } else if (code_point < 0x800) {
    text += static_cast<char>(0xC0 | (code_point >> 6));
    text += static_cast<char>(0x80 | (code_point & 0x3F));
  } else if (code_point < 0x10000) {
    text += static_cast<char>(0xE0 | (code_point >> 12));
    text += static_cast<char>(0x80 | ((code_point >> 6) & 0x3F));
    text += static_cast<char>(0x80 | (code_point & 0x3F));
  } else {
    text += static_cast<char>(0xF0 | (code_point >> 18));
    text += static_cast<char>(0x80 | ((code_point >> 12) & 0x3F));
    text += static_cast<char>(0x80 | ((code_point >> 6) & 0x3F));
    text += static_cast<char>(0x80 | (code_point & 0x3F));
  }
}

bool is_valid_utf8(std::string_view text) {
  for (std::size_t offset = 0; offset < text.size();) {
    const Sequence sequence = sequence_of(static_cast<unsigned char>(text[offset]));
    if (sequence.length == 0 || valid_bytes(text, offset, sequence) < sequence.length) return false;
    offset += sequence.length;
  }
  return true;
}

std::size_t complete_utf8_prefix(std::string_view text) {
  const std::size_t earliest = text.size() - std::min<std::size_t>(text.size(), 3);
  for (std::size_t begin = text.size(); begin > earliest;) {
    --begin;
    const Sequence sequence = sequence_of(static_cast<unsigned char>(text[begin]));
    if (sequence.length <= 1) {
      if (sequence.length == 1) return text.size();
      continue;  // a continuation byte: look further back for its lead
    }
    const bool unfinished = text.size() - begin < sequence.length &&
                            valid_bytes(text, begin, sequence) == text.size() - begin;
    return unfinished ? begin : text.size();
  }
  return text.size();
}

std::string replace_invalid_utf8(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t offset = 0; offset < text.size();)
    append_utf8(result, next_code_point(text, offset));
  return result;
}

}  // namespace fbt
