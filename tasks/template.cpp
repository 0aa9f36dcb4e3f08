#include "tasks/template.h"

#include <utf8proc.h>

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"
#include "base/utf8.h"

namespace fbt::tasks {
namespace {

constexpr std::string_view kOpen = "{{";
constexpr std::string_view kClose = "}}";

// What Python's str.isspace() holds for white space.
bool is_white_space(char32_t c) {
  return (c >= 0x09 && c <= 0x0d) || (c >= 0x1c && c <= 0x20) || c == 0x85 || c == 0xa0 ||
         c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f ||
         c == 0x205f || c == 0x3000;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = std::min(text.find(separator), text.size());
    parts.push_back(text.substr(0, end));
    if (end == text.size()) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string lower_first(const std::string& text) {
  if (text.empty()) return text;
  std::size_t offset = 0;
  const char32_t first = next_code_point(text, offset);
  std::string lowered;
  append_utf8(lowered,
              static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(first))));
  return lowered + text.substr(offset);
}

std::string drop_last(const std::string& text) {
  std::size_t offset = 0;
  std::size_t last = 0;
  while (offset < text.size()) {
    last = offset;
    next_code_point(text, offset);
  }
  return text.substr(0, last);
}

}  // namespace

std::string_view strip_white_space(std::string_view text) {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool leading = true;
  for (std::size_t offset = 0; offset < text.size();) {
    const std::size_t at = offset;
    if (is_white_space(next_code_point(text, offset))) continue;
    if (leading) begin = at;
    leading = false;
    end = offset;
  }
  return leading ? std::string_view() : text.substr(begin, end - begin);
}

Template::Template(std::string_view text, const TemplateScope& scope, std::string_view where) {
  const auto append_text = [this](std::string_view piece) {
    if (piece.empty()) return;
    if (pieces_.empty() || !std::holds_alternative<std::string>(pieces_.back())) {
      pieces_.emplace_back(std::string());
    }
    std::get<std::string>(pieces_.back()) += piece;
  };
  while (true) {
    const std::size_t open = text.find(kOpen);
    append_text(text.substr(0, open));
    if (open == std::string_view::npos) return;
    text.remove_prefix(open + kOpen.size());
    const std::size_t close = text.find(kClose);
    if (close == std::string_view::npos) {
      throw InputError(fmt::format("{}: '{{{{' without '}}}}'", where));
    }
    const std::vector<std::string_view> parts = split(text.substr(0, close), '|');
    text.remove_prefix(close + kClose.size());
    std::vector<Step> steps;
    for (std::size_t i = 1; i < parts.size(); ++i) {
      steps.push_back(parse_step(parts[i], scope, where));
    }
    if (!parts[0].starts_with('$')) {
      FieldPath path(parts[0], where);
      if (path.is_list()) {
        throw InputError(fmt::format("{}: '{}' is a list; a text is needed here", where, parts[0]));
      }
      pieces_.emplace_back(Field{std::move(path), std::move(steps)});
      continue;
    }
    const std::string name(parts[0].substr(1));
    const auto constant = scope.constants.find(name);
    if (constant == scope.constants.end()) {
      std::vector<std::string> known;
      for (const auto& [key, value] : scope.constants) known.push_back(key);
      throw InputError(fmt::format("{}: {}", where, unknown_name_message("constant", name, known)));
    }
    std::string value = constant->second;
    std::string problem;
    for (const Step& step : steps) value = apply(step, std::move(value), problem);
    if (!problem.empty()) throw InputError(fmt::format("{}: '${}' {}", where, name, problem));
    append_text(value);
  }
}

Template::Step Template::parse_step(std::string_view text, const TemplateScope& scope,
                                    std::string_view where) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  const std::string name(text.substr(0, colon));
  const std::string argument(colon < text.size() ? text.substr(colon + 1) : std::string_view());
  const bool has_argument = !argument.empty();
  static const std::map<std::string, Transform> kBare = {{"strip", Transform::kStrip},
                                                         {"lower_first", Transform::kLowerFirst},
                                                         {"drop_last", Transform::kDropLast},
                                                         {"spaces", Transform::kSpaces}};
  if (const auto bare = kBare.find(name); bare != kBare.end() && !has_argument) {
    return {bare->second, "", {}};
  }
  if (name == "before" && has_argument) return {Transform::kBefore, argument, {}};
  if (name == "after" && has_argument) return {Transform::kAfter, argument, {}};
  if (name == "map" && has_argument) {
    const auto map = scope.maps.find(argument);
    if (map != scope.maps.end()) return {Transform::kMap, argument, map->second};
    throw InputError(fmt::format("{}: no map '{}' in 'maps'", where, argument));
  }
  throw InputError(fmt::format(
      "{}: unknown transform '{}'; known: strip, lower_first, drop_last, spaces, before:TEXT, "
      "after:TEXT, map:NAME",
      where, text));
}

std::string Template::apply(const Step& step, std::string text, std::string& problem) {
  switch (step.transform) {
    case Transform::kStrip:
      return std::string(strip_white_space(text));
    case Transform::kLowerFirst:
      return lower_first(text);
    case Transform::kDropLast:
      return drop_last(text);
    case Transform::kSpaces:
      std::replace(text.begin(), text.end(), '_', ' ');
      return text;
    case Transform::kBefore:
    case Transform::kAfter: {
      const std::size_t at = text.find(step.argument);
      if (at == std::string::npos) {
        problem = fmt::format("must contain '{}'", step.argument);
        return text;
      }
      return step.transform == Transform::kBefore ? text.substr(0, at)
                                                  : text.substr(at + step.argument.size());
    }
    case Transform::kMap: {
      const auto found = step.map.find(text);
      if (found != step.map.end()) return found->second;
      std::vector<std::string> known;
      for (const auto& [key, value] : step.map) known.push_back(key);
      problem = fmt::format("must be one of {}, but is '{}'", fmt::join(known, ", "), text);
      return text;
    }
  }
  return text;
}

std::string Template::render(const Row& row) const {
  std::string text;
  for (const auto& piece : pieces_) {
    if (const auto* literal = std::get_if<std::string>(&piece)) {
      text += *literal;
      continue;
    }
    const Field& field = std::get<Field>(piece);
    std::string value = field.path.text(row);
    std::string problem;
    for (const Step& step : field.steps) {
      value = apply(step, std::move(value), problem);
      if (!problem.empty()) row.fail(field.path.name(), problem);
    }
    text += value;
  }
  return text;
}

std::string Template::field_names() const {
  std::string names;
  for (const auto& piece : pieces_) {
    const auto* field = std::get_if<Field>(&piece);
    if (field == nullptr) continue;
    names += (names.empty() ? "" : ", ") + field->path.name();
  }
  return names;
}

std::string Template::constant(std::string_view text, const TemplateScope& scope,
                               std::string_view where) {
  const Template parsed(text, scope, where);
  if (parsed.pieces_.empty()) return "";
  if (parsed.pieces_.size() > 1 || !std::holds_alternative<std::string>(parsed.pieces_[0])) {
    throw InputError(
        fmt::format("{}: '{}' may use constants ($NAME) only, no fields", where, text));
  }
  return std::get<std::string>(parsed.pieces_[0]);
}

}  // namespace fbt::tasks
