#include "results/report/markup.h"

#include "base/json_lines.h"
#include "base/utf8.h"

namespace fbt::results {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

bool is_control(char32_t c) {
  return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || (c >= 0x7F && c < 0xA0);
}

// Marks, embeddings, overrides and isolates of the bidirectional algorithm.
bool turns_direction(char32_t c) {
  return c == 0x061C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069);
}

}  // namespace

std::string escape_markup(std::string_view text) {
  std::string escaped;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = next_code_point(text, at);
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        append_utf8(escaped, is_control(c) || turns_direction(c) ? kReplacement : c);
    }
  }
  return escaped;
}

std::string script_json(const nlohmann::json& value) {
  const std::string json = dump_json(value);
  std::string safe;
  safe.reserve(json.size());
  for (std::size_t i = 0; i < json.size(); ++i) {
    // None of these stands outside a JSON string, where \u is understood.
    const std::string_view rest(json.data() + i, json.size() - i);
    if (rest.front() == '<') {
      safe += "\\u003c";
    } else if (rest.front() == '>') {
      safe += "\\u003e";
    } else if (rest.front() == '&') {
      safe += "\\u0026";
    } else if (rest.starts_with("\u2028") || rest.starts_with("\u2029")) {
      safe += rest.starts_with("\u2028") ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      safe += rest.front();
    }
  }
  return safe;
}

}  // namespace fbt::results
