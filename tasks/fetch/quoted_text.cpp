#include "tasks/fetch/quoted_text.h"

#include <fmt/format.h>

namespace fbt::tasks {
namespace {

constexpr std::string_view kBlank = " \t\r\n";

// Reads a double-quoted string whose opening quote stands at `at`, up to and past
// the closing one. Both languages share these escapes; YAML's escaped line end
// also swallows the next line's indentation.
std::optional<std::string> read_quoted(std::string_view text, std::size_t& at) {
  std::string value;
  for (++at; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') {
      ++at;
      return value;
    }
    if (c != '\\') {
      value += c;
      continue;
    }
    if (++at == text.size()) return std::nullopt;
    switch (text[at]) {
      case 'n':
        value += '\n';
        break;
      case 't':
        value += '\t';
        break;
      case '\n':
        while (at + 1 < text.size() && (text[at + 1] == ' ' || text[at + 1] == '\t')) ++at;
        break;
      case '\\':
      case '"':
      case '\'':
      case ' ':
        value += text[at];
        break;
      default:  // Python keeps escapes that it does not know
        value += '\\';
        value += text[at];
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> next_python_entry(std::string_view source, std::string_view key,
                                             std::size_t& at) {
  const std::string opening = fmt::format("\"{}\":", key);
  const std::size_t found = source.find(opening, at);
  if (found == std::string_view::npos) return std::nullopt;
  at = found + opening.size();
  std::string value;
  bool any = false;
  while (true) {
    const std::size_t next = source.find_first_not_of(kBlank, at);
    if (next == std::string_view::npos || source[next] != '"') break;
    at = next;
    const std::optional<std::string> part = read_quoted(source, at);
    if (!part) return std::nullopt;
    value += *part;
    any = true;
  }
  return any ? std::optional<std::string>(value) : std::nullopt;
}

std::optional<std::string> yaml_double_quoted(std::string_view yaml, std::string_view key) {
  const std::string opening = fmt::format("{}: \"", key);
  std::size_t at = yaml.find(opening);
  if (at == std::string_view::npos) return std::nullopt;
  at += opening.size() - 1;
  return read_quoted(yaml, at);
}

}  // namespace fbt::tasks
