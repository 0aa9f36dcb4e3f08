#pragma once

// What the reader knows about names: LaTeX commands and their synonyms, function
// names, units and other words of prose.

#include <optional>
#include <string_view>

namespace fbt::scorers::math {

// What the lexer does with a command.
enum class CommandRole {
  kKeep,          // a token of its own
  kSpace,         // spacing or style: dropped
  kSkipArgument,  // dropped together with its {argument}
  kRoman,         // \text{…}: the content is prose
  kBold,          // \mathbf{…}
  kGroup,         // \boxed{…}, \underline{…}: only its content counts
  kCurrency,
};

CommandRole command_role(std::string_view name);

// The one name used for a command ("dfrac" → "frac", "leq" → "le"); the name
// itself where it has no synonym. A result that is no letter is a symbol ("*").
std::string_view canonical_command(std::string_view name);

// Plain words that stand for commands: "sin", "sqrt", "pi", "infinity", …
bool is_command_word(std::string_view lower_case_word);

// "m", "s", "kg", "mph", … lower case; one letter or a few.
bool is_unit(std::string_view word);

// Whether a run of plain letters in a formula is prose and no product of
// variables: a known word or unit, four letters or more, or a short run that
// follows a space and can be pronounced.
bool is_prose(std::string_view run, bool space_before);

// "two" → 2, for zero to twenty and the tens up to ninety.
std::optional<int> number_word(std::string_view word);
// "dozen" → 12, "million" → 10^6, …
std::optional<long> scale_word(std::string_view word);

// Units of time, length and money as multiples of the second, inch and cent.
struct UnitScale {
  char dimension;  // 't', 'l' or 'm'
  int numerator;
};
std::optional<UnitScale> unit_scale(std::string_view word);

}  // namespace fbt::scorers::math
