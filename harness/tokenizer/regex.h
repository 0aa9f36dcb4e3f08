#pragma once

// Regular expressions of tokenizer.json files, through Oniguruma.
//
// Unicode categories (\p{L}, \P{Nd}, \p{^Lu}) and \s, \S mean unicode_classes.h, not
// the tables of the Oniguruma at hand; all else is Oniguruma's own syntax, as
// in Hugging Face's library.

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fbt::tokenizer {

struct Match {
  std::size_t begin;
  std::size_t end;
};

// Immutable; any number of threads may search at once.
class Regex {
 public:
  // Throws InputError (one line with the pattern and Oniguruma's reason).
  explicit Regex(std::string_view pattern);
  // Matches `text` (not empty) itself.
  static Regex literal(std::string_view text);

  // Puts all matches in `text` (valid UTF-8) into `matches`: leftmost first, not overlapping. An
  // empty match is dropped where the match before it ends. Throws InputError
  // where the pattern backtracks without bounds.
  void find_all(std::string_view text, std::vector<Match>& matches) const;

 private:
  struct Compiled;
  Regex() = default;

  std::shared_ptr<const Compiled> compiled_;  // null: a literal
  std::string literal_;
};

// `pattern` with its Unicode categories and white space spelled out as ranges.
std::string expand_unicode_classes(std::string_view pattern);

}  // namespace fbt::tokenizer
