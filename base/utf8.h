#pragma once

// UTF-8 by code points. Input may be any bytes; what is not valid UTF-8 counts
// as one code point a byte and decodes to U+FFFD.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fbt {

// Decodes the code point at `offset` and advances `offset` past it (always by
// at least one). Precondition: offset < text.size().
char32_t next_code_point(std::string_view text, std::size_t& offset);

// Number of code points (Python's len() of a str).
std::size_t count_code_points(std::string_view text);

// Appends the UTF-8 of `code_point`; surrogates and values beyond U+10FFFF append U+FFFD.
void append_utf8(std::string& text, char32_t code_point);

bool is_valid_utf8(std::string_view text);

// Length of the longest prefix that does not end inside a multi-byte sequence
// that further bytes could complete. Bytes that can never become valid count
// as complete. Used to emit text while tokens arrive.
std::size_t complete_utf8_prefix(std::string_view text);

// Copy with every invalid byte replaced by U+FFFD.
std::string replace_invalid_utf8(std::string_view text);

}  // namespace fbt
