#include "scorers/gsm8k.h"

#include <algorithm>
#include <cctype>

#include <re2/re2.h>

#include "scorers/math/extract.h"

namespace fbt::scorers {

namespace {

// Patterns are lm-eval's; they hold only ASCII, so bytes (Latin-1) match as
// code points would and invalid UTF-8 is no concern.
RE2::Options bytes_options(bool dot_matches_newline = false) {
  RE2::Options options(RE2::Latin1);
  options.set_dot_nl(dot_matches_newline);
  return options;
}

re2::StringPiece piece(std::string_view text) {
  return re2::StringPiece(text.data(), text.size());
}

std::optional<Gsm8kAnswer> first_match(std::string_view text, const RE2& pattern) {
  re2::StringPiece groups[2];
  if (!pattern.Match(piece(text), 0, text.size(), RE2::UNANCHORED, groups, 2)) return std::nullopt;
  return Gsm8kAnswer{groups[1].as_string(),
                     static_cast<std::size_t>(groups[0].data() - text.data())};
}

std::optional<Gsm8kAnswer> last_match(std::string_view text, const RE2& pattern) {
  std::optional<Gsm8kAnswer> last;
  std::size_t start = 0;
  re2::StringPiece groups[1];
  while (pattern.Match(piece(text), start, text.size(), RE2::UNANCHORED, groups, 1)) {
    const auto offset = static_cast<std::size_t>(groups[0].data() - text.data());
    last = Gsm8kAnswer{groups[0].as_string(), offset};
    start = offset + groups[0].size();
  }
  return last;
}

std::optional<Gsm8kAnswer> strict(std::string_view completion) {
  static const RE2 pattern(R"(#### (\-?[0-9\.\,]+))", bytes_options());
  return first_match(completion, pattern);
}

std::optional<Gsm8kAnswer> flexible(std::string_view completion) {
  static const RE2 pattern(R"(-?[$0-9.,]{2,}|-?[0-9]+)", bytes_options());
  return last_match(completion, pattern);
}

// What lm-eval's exact match ignores: commas, dollars, all up to the last
// "#### ", one final dot, and case.
std::string exact_match_form(std::string_view text) {
  static const RE2 up_to_hashes("(?s).*#### ", bytes_options(true));
  std::string form;
  for (char c : text) {
    if (c != ',' && c != '$')
      form += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  RE2::GlobalReplace(&form, up_to_hashes, "");
  if (form.ends_with('.')) {
    form.pop_back();
  } else if (form.ends_with(".\n")) {  // Python's $ also matches before a final newline
    form.erase(form.size() - 2, 1);
  }
  return form;
}

// A number as people write it: sign, dollar, thousands commas, decimals.
const RE2& written_number() {
  static const RE2 pattern(R"((-?\s?\$?\s?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|-?\$?\.\d+))",
                           bytes_options());
  return pattern;
}

// The canonical text of a written number: no sign of plus, leading zeros,
// thousands commas, currency or trailing decimal zeros. Equal texts = equal values.
std::string canonical_number(std::string_view written) {
  const bool negative = written.find('-') != std::string_view::npos;
  std::string whole, decimals;
  bool after_point = false;
  for (char c : written) {
    if (c == '.') after_point = true;
    if (std::isdigit(static_cast<unsigned char>(c))) (after_point ? decimals : whole) += c;
  }
  whole.erase(0, std::min(whole.find_first_not_of('0'), whole.size()));
  while (decimals.ends_with('0')) decimals.pop_back();
  if (whole.empty()) whole.push_back('0');
  std::string number = decimals.empty() ? whole : whole + "." + decimals;
  return negative && number != "0" ? "-" + number : number;
}

struct ChatAnswer {
  Gsm8kAnswer answer;
  std::string rule;
};

std::optional<ChatAnswer> chat(std::string_view completion) {
  if (const auto box = math::last_box(completion)) {
    if (auto number = last_match(box->content, written_number())) {
      return ChatAnswer{{number->text, box->offset}, "chat:boxed"};
    }
  }
  static const RE2 hashes(R"(####\s*([^\n]*))", bytes_options());
  if (const auto line = first_match(completion, hashes)) {
    if (auto number = first_match(line->text, written_number())) {
      return ChatAnswer{{number->text, line->offset}, "chat:hashes"};
    }
  }
  static const RE2 phrase(
      R"((?i)answer(?:\s+is|\s*:)[\s:*]*(?:\\\(|\$)?\s*-?\s*\$?\s*(?:\d[\d,]*(?:\.\d+)?|\.\d+))",
      bytes_options());
  if (const auto sentence = last_match(completion, phrase)) {
    const auto number = last_match(sentence->text, written_number());
    if (number) return ChatAnswer{{number->text, sentence->offset}, "chat:phrase"};
  }
  if (auto number = last_match(completion, written_number())) {
    return ChatAnswer{*number, "chat:last_number"};
  }
  return std::nullopt;
}

Score score_chat(std::string_view gold, std::string_view completion) {
  const auto found = chat(completion);
  if (!found) return {false, "", "no_answer", std::nullopt};
  const std::size_t hashes = gold.rfind("#### ");
  if (hashes != std::string_view::npos) gold.remove_prefix(hashes + 5);
  const auto reference = first_match(gold, written_number());
  const bool correct =
      reference && canonical_number(reference->text) == canonical_number(found->answer.text);
  return {correct, found->answer.text, found->rule, found->answer.offset};
}

}  // namespace

std::string_view gsm8k_filter_name(Gsm8kFilter filter) {
  switch (filter) {
    case Gsm8kFilter::kStrict:
      return "strict";
    case Gsm8kFilter::kFlexible:
      return "flexible";
    case Gsm8kFilter::kChat:
      break;
  }
  return "chat";
}

std::optional<Gsm8kAnswer> extract_gsm8k(std::string_view completion, Gsm8kFilter filter) {
  switch (filter) {
    case Gsm8kFilter::kStrict:
      return strict(completion);
    case Gsm8kFilter::kFlexible:
      return flexible(completion);
    case Gsm8kFilter::kChat:
      break;
  }
  auto found = chat(completion);
  if (!found) return std::nullopt;
  return std::move(found->answer);
}

Score score_gsm8k(std::string_view gold, std::string_view completion, Gsm8kFilter filter) {
  if (filter == Gsm8kFilter::kChat) return score_chat(gold, completion);
  const auto answer = extract_gsm8k(completion, filter);
  if (!answer) return {false, "", "no_answer", std::nullopt};
  const bool correct = exact_match_form(answer->text) == exact_match_form(gold);
  return {correct, answer->text, std::string(gsm8k_filter_name(filter)), answer->offset};
}

}  // namespace fbt::scorers
