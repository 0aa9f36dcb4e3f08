#include "harness/tokenizer/unicode_classes.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>

#include <utf8proc.h>

namespace fbt::tokenizer {
namespace {

constexpr char32_t kLastCodePoint = 0x10FFFF;

struct Addition {
  char32_t first;
  char32_t last;
  const char* category;
};

// Letters and numbers of Unicode 15.1 and 16.0, ascending.
constexpr Addition kAdditions[] = {
    {0x1C89, 0x1C89, "Lu"},   {0x1C8A, 0x1C8A, "Ll"},   {0xA7CB, 0xA7CC, "Lu"},
    {0xA7CD, 0xA7CD, "Ll"},   {0xA7DA, 0xA7DA, "Lu"},   {0xA7DB, 0xA7DB, "Ll"},
    {0xA7DC, 0xA7DC, "Lu"},   {0x105C0, 0x105F3, "Lo"}, {0x10D40, 0x10D49, "Nd"},
    {0x10D4A, 0x10D4D, "Lo"}, {0x10D4E, 0x10D4E, "Lm"}, {0x10D4F, 0x10D4F, "Lo"},
    {0x10D50, 0x10D65, "Lu"}, {0x10D6F, 0x10D6F, "Lm"}, {0x10D70, 0x10D85, "Ll"},
    {0x10EC2, 0x10EC4, "Lo"}, {0x11380, 0x11389, "Lo"}, {0x1138B, 0x1138B, "Lo"},
    {0x1138E, 0x1138E, "Lo"}, {0x11390, 0x113B5, "Lo"}, {0x113B7, 0x113B7, "Lo"},
    {0x113D1, 0x113D1, "Lo"}, {0x113D3, 0x113D3, "Lo"}, {0x116D0, 0x116E3, "Nd"},
    {0x11BC0, 0x11BE0, "Lo"}, {0x11BF0, 0x11BF9, "Nd"}, {0x13460, 0x143FA, "Lo"},
    {0x16100, 0x1611D, "Lo"}, {0x16130, 0x16139, "Nd"}, {0x16D40, 0x16D42, "Lm"},
    {0x16D43, 0x16D6A, "Lo"}, {0x16D6B, 0x16D6C, "Lm"}, {0x16D70, 0x16D79, "Nd"},
    {0x18CFF, 0x18CFF, "Lo"}, {0x1CCF0, 0x1CCF9, "Nd"}, {0x1E5D0, 0x1E5ED, "Lo"},
    {0x1E5F0, 0x1E5F0, "Lo"}, {0x1E5F1, 0x1E5FA, "Nd"}, {0x2EBF0, 0x2EE5D, "Lo"},
};

constexpr CodePointRange kWhiteSpace[] = {
    {0x09, 0x0D},     {0x20, 0x20},     {0x85, 0x85},     {0xA0, 0xA0},     {0x1680, 0x1680},
    {0x2000, 0x200A}, {0x2028, 0x2029}, {0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000},
};

// Alphabetic, though of category So: circled, parenthesized and squared letters.
constexpr CodePointRange kAlphabeticSymbols[] = {
    {0x24B6, 0x24E9}, {0x1F130, 0x1F149}, {0x1F150, 0x1F169}, {0x1F170, 0x1F189}};

template <typename Ranges>
auto find_range(const Ranges& ranges, char32_t code_point) {
  const auto range = std::lower_bound(
      std::begin(ranges), std::end(ranges), code_point,
      [](const auto& candidate, char32_t value) { return candidate.last < value; });
  return range != std::end(ranges) && range->first <= code_point ? range : std::end(ranges);
}

template <typename Ranges>
bool contains(const Ranges& ranges, char32_t code_point) {
  return find_range(ranges, code_point) != std::end(ranges);
}

using CategoryTable = std::map<std::string, std::vector<CodePointRange>, std::less<>>;

void append(std::vector<CodePointRange>& ranges, char32_t code_point) {
  if (!ranges.empty() && ranges.back().last + 1 == code_point) {
    ranges.back().last = code_point;
  } else {
    ranges.push_back({code_point, code_point});
  }
}

CategoryTable make_category_table() {
  CategoryTable table;
  std::vector<CodePointRange>* group = nullptr;
  std::vector<CodePointRange>* exact = nullptr;
  std::string_view current;
  for (char32_t code_point = 0; code_point <= kLastCodePoint; ++code_point) {
    const std::string_view category = general_category(code_point);
    if (category != current) {
      current = category;
      group = &table[std::string(category.substr(0, 1))];
      exact = &table[std::string(category)];
    }
    append(*group, code_point);
    append(*exact, code_point);
  }
  return table;
}

}  // namespace

std::string_view general_category(char32_t code_point) {
  const std::string_view known =
      utf8proc_category_string(static_cast<utf8proc_int32_t>(code_point));
  if (known != "Cn") return known;
  const auto addition = find_range(kAdditions, code_point);
  return addition == std::end(kAdditions) ? known : addition->category;
}

const std::vector<CodePointRange>& category_ranges(std::string_view category) {
  static const CategoryTable table = make_category_table();
  static const std::vector<CodePointRange> none;
  const auto entry = table.find(category);
  return entry == table.end() ? none : entry->second;
}

bool is_number(char32_t code_point) {
  return general_category(code_point)[0] == 'N';
}

bool is_punctuation(char32_t code_point) {
  if (code_point < 0x80) {
    const std::string_view category = general_category(code_point);
    return category[0] == 'P' || category[0] == 'S';
  }
  return general_category(code_point)[0] == 'P';
}

bool is_white_space(char32_t code_point) {
  return contains(kWhiteSpace, code_point);
}

bool is_word_character(char32_t code_point) {
  const std::string_view category = general_category(code_point);
  return category[0] == 'L' || category[0] == 'M' || category == "Nd" || category == "Nl" ||
         category == "Pc" || code_point == 0x200C || code_point == 0x200D ||
         contains(kAlphabeticSymbols, code_point);
}

}  // namespace fbt::tokenizer
