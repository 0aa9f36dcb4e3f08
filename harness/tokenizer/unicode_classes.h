#pragma once

// Character classes as of Unicode 16, whatever version the system's libraries
// know: token ids must not depend on the machine. (utf8proc's tables, and the
// letters and numbers that Unicode 15.1 and 16 added where it is older.)

#include <string_view>
#include <vector>

namespace fbt::tokenizer {

struct CodePointRange {
  char32_t first;
  char32_t last;  // inclusive
};

// The general category, as two letters ("Lu"); "Cn" where unassigned.
std::string_view general_category(char32_t code_point);

// The code points of a general category ("Lu") or of a group of them ("L"),
// ascending. Empty where there is no such category. Thread-safe.
const std::vector<CodePointRange>& category_ranges(std::string_view category);

// \p{N}
bool is_number(char32_t code_point);
// ASCII punctuation and symbols, and \p{P}.
bool is_punctuation(char32_t code_point);
// \s: the property White_Space.
bool is_white_space(char32_t code_point);
// \w of Unicode TS 18: letters, marks, digits, connectors, joiners.
bool is_word_character(char32_t code_point);

}  // namespace fbt::tokenizer
