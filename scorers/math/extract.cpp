#include "scorers/math/extract.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include <re2/re2.h>

namespace fbt::scorers::math {

namespace {

using re2::StringPiece;

RE2::Options options() {
  RE2::Options result(RE2::Latin1);  // bytes: any input is safe
  result.set_dot_nl(true);
  return result;
}

StringPiece piece(std::string_view text) {
  return {text.data(), text.size()};
}

// A part of the completion, with where it starts.
struct Part {
  std::string_view text;
  std::size_t offset = 0;

  Part sub(std::size_t from, std::size_t length = std::string_view::npos) const {
    return {text.substr(from, length), offset + from};
  }
};

std::optional<Part> last_group(const Part& part, const RE2& expression) {
  std::optional<Part> last;
  StringPiece groups[2];
  std::size_t start = 0;
  while (start <= part.text.size() &&
         expression.Match(piece(part.text), start, part.text.size(), RE2::UNANCHORED, groups, 2)) {
    const auto from = static_cast<std::size_t>(groups[1].data() - part.text.data());
    last = part.sub(from, groups[1].size());
    const auto end =
        static_cast<std::size_t>(groups[0].data() - part.text.data()) + groups[0].size();
    start = std::max(end, start + 1);
  }
  return last;
}

Part trimmed(Part part) {
  const auto droppable = [](char c, bool front) {
    return std::isspace(static_cast<unsigned char>(c)) != 0 || (front && (c == ':' || c == '*')) ||
           (!front && (c == '*' || c == ';'));
  };
  while (!part.text.empty() && droppable(part.text.front(), true)) part = part.sub(1);
  while (!part.text.empty() && droppable(part.text.back(), false)) part.text.remove_suffix(1);
  return part;
}

// What follows a model's own end of turn or a new problem is not this answer.
Part first_problem(std::string_view completion) {
  static const RE2 thought(R"((?i)</think(?:ing)?>)", options());
  static const RE2 end(
      R"(<\|[a-z_]*\|>|</s>|<end_of_turn>|\n\s*(?:#+\s*)?\**(?:Problem|Question|Q)\s*\d*\s*:)",
      options());
  Part part{completion, 0};
  StringPiece match;
  while (thought.Match(piece(part.text), 0, part.text.size(), RE2::UNANCHORED, &match, 1)) {
    part = part.sub(static_cast<std::size_t>(match.data() - part.text.data()) + match.size());
  }
  // A leading "Problem:" repeats the question; only a later one starts another.
  const std::size_t skip = std::min<std::size_t>(part.text.size(), 1);
  if (end.Match(piece(part.text), skip, part.text.size(), RE2::UNANCHORED, &match, 1)) {
    const Part cut = part.sub(0, static_cast<std::size_t>(match.data() - part.text.data()));
    if (!trimmed(cut).text.empty()) return cut;
  }
  return part;
}

Extraction found(const Part& part, std::string_view rule) {
  return {std::string(part.text), part.offset, rule};
}

// ---- boxes ----

// Whether the text between two boxes joins them into one list.
bool joins_boxes(std::string_view between) {
  static const RE2 joint(
      R"((?i)(?:[\s$,;()\\]|\\[()\[\]]|\\q?quad|\\text\s*\{\s*and\s*\}|[a-z]{1,12}\s+and|and)*)"
      R"((?:[\s$]*[a-z](?:_\{?\w+\}?)?\s*=)?[\s$\\(]*)",
      options());
  return between.size() <= 60 && RE2::FullMatch(piece(between), joint);
}

std::optional<Extraction> boxed(const Part& part) {
  auto box = last_box(part.text);
  if (!box) return std::nullopt;
  // Boxes in a row: the answer is their list.
  std::string answer(box->content);
  std::size_t offset = box->offset;
  std::string_view rule = "boxed";
  while (offset > 0) {
    const auto before = last_box(part.text.substr(0, offset));
    if (!before || !joins_boxes(part.text.substr(before->end, offset - before->end))) break;
    answer = std::string(before->content) + ", " + answer;
    offset = before->offset;
    rule = "boxes";
  }
  return Extraction{std::move(answer), part.offset + offset, rule};
}

// "\boxed{…" whose brace never closes: up to the end of the maths or the line.
std::optional<Extraction> open_box(const Part& part) {
  static const RE2 box(R"(boxed\s*\{([^\n$]*))", options());
  auto content = last_group(part, box);
  if (!content) return std::nullopt;
  // A brace of the box itself may be there under a garbled macro name.
  int depth = 0;
  for (std::size_t i = 0; i < content->text.size(); ++i) {
    if (content->text[i] == '\\') {
      ++i;
    } else if (content->text[i] == '{') {
      ++depth;
    } else if (content->text[i] == '}' && depth-- == 0) {
      *content = content->sub(0, i);
      break;
    }
  }
  if (trimmed(*content).text.empty()) return std::nullopt;
  return found(trimmed(*content), "open_box");
}

// ---- spans of mathematics and numbers ----

// Prose between two dollars is no maths: "$5 now and $6".
bool is_prose_between_dollars(std::string_view text) {
  static const RE2 words(R"((?:^|[\s,])[a-zA-Z]{2,}(?:[\s,.]+[a-zA-Z]{2,}))", options());
  return RE2::PartialMatch(piece(text), words) && text.find('\\') == std::string_view::npos;
}

std::vector<Part> math_spans(const Part& part) {
  struct Delimiter {
    std::string_view open, close;
  };
  static constexpr Delimiter kDelimiters[] = {
      {"$$", "$$"}, {"\\[", "\\]"}, {"\\(", "\\)"}, {"$", "$"}};
  std::vector<Part> spans;
  const std::string_view text = part.text;
  for (std::size_t at = 0; at < text.size();) {
    bool matched = false;
    for (const auto& [open, close] : kDelimiters) {
      if (!text.substr(at).starts_with(open)) continue;
      if (open == "$" && at > 0 && text[at - 1] == '\\') continue;
      const std::size_t from = at + open.size();
      std::size_t end = text.find(close, from);
      while (end != std::string_view::npos && close == "$" && text[end - 1] == '\\') {
        end = text.find(close, end + 1);
      }
      if (end == std::string_view::npos || end == from) continue;
      const Part span = part.sub(from, end - from);
      if (close == "$" && is_prose_between_dollars(span.text)) continue;
      spans.push_back(span);
      at = end + close.size();
      matched = true;
      break;
    }
    if (!matched) ++at;
  }
  return spans;
}

std::optional<Part> last_number(const Part& part) {
  static const RE2 number(
      R"(((?:(?:-|\xE2\x88\x92)\s?)?(?:[$]\s?)?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:/\d+)?(?:\s?%|\s?\^?\\circ)?|-?\.\d+))",
      options());
  return last_group(part, number);
}

// Without its final stop: "7.78." is 7.78, "A." is A.
Part without_stop(Part part) {
  part = trimmed(part);
  while (part.text.ends_with('.') || part.text.ends_with(',')) {
    part.text.remove_suffix(1);
    part = trimmed(part);
  }
  return part;
}

std::size_t count_words(std::string_view text) {
  std::size_t words = 0;
  bool inside = false;
  for (char c : text) {
    const bool space = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!space && !inside) ++words;
    inside = !space;
  }
  return words;
}

// The end of the sentence: a line's end, or a stop before a space that is no decimal
// point; not inside mathematics.
std::size_t sentence_end(const Part& part) {
  const std::string_view text = part.text;
  const std::vector<Part> spans = math_spans(part);
  auto span = spans.begin();
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (span != spans.end() && part.offset + i >= span->offset) {
      i = span->offset - part.offset + span->text.size();
      ++span;
      if (i >= text.size()) break;
    }
    if (text[i] == '\n' && i > 0) return i;
    if (text[i] != '.' && text[i] != '!' && text[i] != '?') continue;
    const bool ends = i + 1 == text.size() || std::isspace(static_cast<unsigned char>(text[i + 1]));
    const bool factorial = text[i] == '!';
    // "p.m. " and "sq. cm" go on.
    const bool abbreviation = text[i] == '.' && i >= 2 && text[i - 2] == '.';
    if (ends && !factorial && !abbreviation) return i;
  }
  return text.size();
}

// The answer in a sentence that states it: its maths, or what follows the last "is".
std::optional<Part> stated_in(const Part& sentence) {
  const std::vector<Part> spans = math_spans(sentence);
  static const RE2 after_is(
      R"((?i)\b(?:is|are|equals|be|=|:)\s+(?:equal to |about |approximately )?(.+)$)", options());
  if (!spans.empty()) {
    const Part& last = spans.back();
    const std::size_t after = last.offset + last.text.size() - sentence.offset;
    const Part rest = sentence.sub(std::min(after, sentence.text.size()));
    // "The volume of $ABCD$ is 120."
    const auto tail = last_group(rest, after_is);
    if (tail && last_number(*tail)) return without_stop(*tail);
    // "$3$ and $5$" is a list: keep the sentence's part from the first span on.
    static const RE2 joint(R"([\s$\\()\[\]]*(?:,|;|and|or|, and)[\s$\\()\[\]]*)", options());
    std::size_t first = spans.size() - 1;
    while (first > 0) {
      const std::size_t end = spans[first - 1].offset + spans[first - 1].text.size();
      const std::string_view between =
          sentence.text.substr(end - sentence.offset, spans[first].offset - end);
      if (!RE2::FullMatch(piece(between), joint)) break;
      --first;
    }
    const std::size_t from = spans[first].offset - sentence.offset;
    return sentence.sub(from, after - from);
  }
  Part rest = without_stop(sentence);
  if (const auto tail = last_group(rest, after_is)) rest = without_stop(*tail);
  if (rest.text.empty()) return std::nullopt;
  const char first = rest.text.front();
  const bool starts_as_answer =
      std::isdigit(static_cast<unsigned char>(first)) != 0 ||
      std::string_view("-+([{\\$.|").find(first) != std::string_view::npos;
  if (starts_as_answer || count_words(rest.text) <= 3) return rest;
  if (const auto number = last_number(rest)) return number;
  return rest;
}

// ---- rules in order ----

std::optional<Extraction> final_answer(const Part& part) {
  static const RE2 phrase(
      R"((?i)((?:final\s+)?answers?\s*(?:\*\*)?\s*(?:(?:is|are)\b(?:\s*:)?|:|(?:\\\[|\\\(|\$))))",
      options());
  // The last phrase that has something after it.
  std::optional<Part> rest;
  Part search = part;
  while (const auto match = last_group(search, phrase)) {
    std::size_t from = match->offset - part.offset + match->text.size();
    const std::string_view text = match->text;
    if (text.ends_with('$')) from -= 1;
    if (text.ends_with("\\[") || text.ends_with("\\(")) from -= 2;
    const Part after = trimmed(part.sub(from));
    if (!after.text.empty()) {
      rest = after;
      break;
    }
    search.text = search.text.substr(0, match->offset - search.offset);
  }
  if (!rest) return std::nullopt;
  const Part sentence = rest->sub(0, sentence_end(*rest));
  const auto answer = stated_in(sentence);
  if (!answer) return std::nullopt;
  return found(*answer, "final_answer");
}

std::optional<Extraction> tagged(const Part& part) {
  static const RE2 tag(R"((?i)<answer>(.*?)</answer>)", options());
  const auto content = last_group(part, tag);
  if (!content || trimmed(*content).text.empty()) return std::nullopt;
  return found(without_stop(*content), "tag");
}

std::optional<Extraction> after_hashes(const Part& part) {
  static const RE2 hashes(R"(####\s*([^\n]+))", options());
  const auto line = last_group(part, hashes);
  if (!line || trimmed(*line).text.empty()) return std::nullopt;
  return found(without_stop(*line), "hashes");
}

std::optional<Extraction> last_bold(const Part& part) {
  static const RE2 bold(R"(\*\*([^*\n]+)\*\*)", options());
  const auto content = last_group(part, bold);
  if (!content || count_words(content->text) > 6) return std::nullopt;
  return found(without_stop(*content), "bold");
}

// The last maths or number of the last sentence that has one.
std::optional<Extraction> last_sentence(const Part& part) {
  const std::vector<Part> spans = math_spans(part);
  const auto number = last_number(part);
  if (!spans.empty()) {
    const Part& span = spans.back();
    const std::size_t end = span.offset + span.text.size();
    // A number later than the last span, in a sentence of its own.
    const bool later = number && number->offset > end;
    if (!later) return found(span, "last_math");
  }
  if (number) return found(*number, "last_number");
  return std::nullopt;
}

// "The fastest student is Evelyn."
std::optional<Extraction> last_predicate(const Part& part) {
  static const RE2 predicate(R"((?i)\b(?:is|are|equals|was|be)\s+([^.\n]{1,60})\.?\s*$)",
                             options());
  const auto words = last_group(part, predicate);
  if (!words || count_words(words->text) > 4) return std::nullopt;
  return found(without_stop(*words), "predicate");
}

std::optional<Extraction> whole_text(const Part& part) {
  const Part answer = without_stop(part);
  if (answer.text.empty() || answer.text.size() > 200 || count_words(answer.text) > 4 ||
      answer.text.find('\n') != std::string_view::npos) {
    return std::nullopt;
  }
  return found(answer, "whole");
}

// A completion that is nothing but the answer.
bool is_bare_answer(const Part& part) {
  static const RE2 words(R"([a-zA-Z]{2,}\s+[a-zA-Z]{2,})", options());
  return !RE2::PartialMatch(piece(part.text), words);
}

}  // namespace

std::optional<Extraction> extract_answer(std::string_view completion) {
  const Part part = first_problem(completion);
  if (auto answer = boxed(part)) return answer;
  if (auto answer = open_box(part)) return answer;
  if (auto answer = tagged(part)) return answer;
  if (auto answer = final_answer(part)) return answer;
  if (auto answer = after_hashes(part)) return answer;
  if (auto answer = last_bold(part)) return answer;
  if (is_bare_answer(part) && math_spans(part).empty()) {
    if (auto answer = whole_text(part)) return answer;
  }
  if (auto answer = last_sentence(part)) return answer;
  if (auto answer = last_predicate(part)) return answer;
  return whole_text(part);
}

}  // namespace fbt::scorers::math
