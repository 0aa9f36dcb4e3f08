#include "harness/tokenizer/regex.h"

#include <oniguruma.h>

#include <fmt/format.h>

#include "base/error.h"
#include "base/utf8.h"
#include "harness/tokenizer/unicode_classes.h"

namespace fbt::tokenizer {
namespace {

constexpr const char* kWhiteSpace =
    R"(\x{9}-\x{D}\x{20}\x{85}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000})";

// Beyond what any sane pattern needs: a few steps a character (a run of white
// space is given back one character at a time), and slack for short texts.
unsigned long backtrack_limit(std::size_t text_size) {
  return 10'000'000 + 64 * static_cast<unsigned long>(text_size);
}

std::string bracket(bool negated, std::string_view members) {
  return fmt::format("[{}{}]", negated ? "^" : "", members);
}

std::string spell_category(std::string_view category) {
  std::string members;
  for (const CodePointRange range : category_ranges(category)) {
    // Surrogates are no characters of UTF-8 text.
    if (range.first >= 0xD800 && range.last <= 0xDFFF) continue;
    members += fmt::format("\\x{{{:X}}}-\\x{{{:X}}}", static_cast<unsigned>(range.first),
                           static_cast<unsigned>(range.last));
  }
  return members;
}

// The replacement for the escape at `pattern[begin]`, and its length there;
// empty where it is to stay.
struct Expansion {
  std::string text;
  std::size_t length = 0;
};

Expansion expand_escape(std::string_view escape) {
  const char kind = escape[1];
  if (kind == 's' || kind == 'S') return {bracket(kind == 'S', kWhiteSpace), 2};
  if ((kind != 'p' && kind != 'P') || escape.size() < 3 || escape[2] != '{') return {};
  const std::size_t end = escape.find('}');
  if (end == std::string_view::npos) return {};
  std::string_view category = escape.substr(3, end - 3);
  bool negated = kind == 'P';
  if (category.starts_with('^')) {
    negated = !negated;
    category.remove_prefix(1);
  }
  const std::string members = spell_category(category);
  if (members.empty()) return {};
  return {bracket(negated, members), end + 1};
}

const OnigUChar* bytes(const char* text) {
  return reinterpret_cast<const OnigUChar*>(text);
}

void initialize_oniguruma() {
  static const int status = [] {
    OnigEncoding encodings[] = {ONIG_ENCODING_UTF8};
    return onig_initialize(encodings, 1);
  }();
  if (status != ONIG_NORMAL) throw EnvironmentError("Oniguruma cannot be initialized");
}

struct RegionDeleter {
  void operator()(OnigRegion* region) const { onig_region_free(region, 1); }
};
struct ParamDeleter {
  void operator()(OnigMatchParam* param) const { onig_free_match_param(param); }
};

}  // namespace

std::string expand_unicode_classes(std::string_view pattern) {
  std::string expanded;
  for (std::size_t offset = 0; offset < pattern.size();) {
    if (pattern[offset] != '\\' || offset + 1 == pattern.size()) {
      expanded += pattern[offset++];
      continue;
    }
    const Expansion expansion = expand_escape(pattern.substr(offset));
    const std::size_t length = expansion.length == 0 ? 2 : expansion.length;
    expanded += expansion.length == 0 ? std::string(pattern.substr(offset, 2)) : expansion.text;
    offset += length;
  }
  return expanded;
}

struct Regex::Compiled {
  explicit Compiled(std::string_view source) : pattern(source) {
    initialize_oniguruma();
    const std::string expanded = expand_unicode_classes(source);
    OnigErrorInfo info;
    const int status =
        onig_new(&regex, bytes(expanded.data()), bytes(expanded.data() + expanded.size()),
                 ONIG_OPTION_NONE, ONIG_ENCODING_UTF8, ONIG_SYNTAX_ONIGURUMA, &info);
    if (status != ONIG_NORMAL) {
      OnigUChar reason[ONIG_MAX_ERROR_MESSAGE_LEN];
      onig_error_code_to_str(reason, status, &info);
      throw InputError(
          fmt::format("pattern '{}' is not a regular expression that Oniguruma takes: {}", pattern,
                      reinterpret_cast<const char*>(reason)));
    }
  }
  ~Compiled() { onig_free(regex); }
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;

  std::string pattern;
  OnigRegex regex = nullptr;
};

Regex::Regex(std::string_view pattern) : compiled_(std::make_shared<const Compiled>(pattern)) {}

Regex Regex::literal(std::string_view text) {
  Regex regex;
  regex.literal_ = text;
  return regex;
}

void Regex::find_all(std::string_view text, std::vector<Match>& matches) const {
  matches.clear();
  if (compiled_ == nullptr) {
    for (std::size_t at = text.find(literal_); at != std::string_view::npos;) {
      matches.push_back({at, at + literal_.size()});
      at = text.find(literal_, at + literal_.size());
    }
    return;
  }
  const std::unique_ptr<OnigRegion, RegionDeleter> region(onig_region_new());
  const std::unique_ptr<OnigMatchParam, ParamDeleter> param(onig_new_match_param());
  onig_initialize_match_param(param.get());
  onig_set_retry_limit_in_match_of_match_param(param.get(), backtrack_limit(text.size()));

  const OnigUChar* const begin = bytes(text.data());
  const OnigUChar* const end = begin + text.size();
  for (std::size_t from = 0; from <= text.size();) {
    const int status = onig_search_with_param(compiled_->regex, begin, end, begin + from, end,
                                              region.get(), ONIG_OPTION_NONE, param.get());
    if (status == ONIG_MISMATCH) return;
    if (status < 0) {
      OnigUChar reason[ONIG_MAX_ERROR_MESSAGE_LEN];
      onig_error_code_to_str(reason, status);
      throw InputError(fmt::format("pattern '{}' fails on a text of {} bytes: {}",
                                   compiled_->pattern, text.size(),
                                   reinterpret_cast<const char*>(reason)));
    }
    const Match match{static_cast<std::size_t>(region->beg[0]),
                      static_cast<std::size_t>(region->end[0])};
    const bool repeated =
        match.begin == match.end && !matches.empty() && matches.back().end == match.end;
    from = match.end;
    if (!repeated) {
      matches.push_back(match);
    } else if (from == text.size()) {
      return;
    } else {
      next_code_point(text, from);
    }
  }
}

}  // namespace fbt::tokenizer
