#include "harness/tokenizer/replacement.h"

#include <vector>

#include "base/error.h"

namespace fbt::tokenizer {

Regex make_pattern(const JsonNode& node) {
  if (const auto text = node.find("String")) {
    if (text->text().empty()) text->fail("should not be empty");
    return Regex::literal(text->text());
  }
  const JsonNode expression = node.at("Regex");
  try {
    return Regex(expression.text());
  } catch (const InputError& error) {
    expression.fail(error.what());
  }
}

Replacement::Replacement(const JsonNode& node)
    : pattern_(make_pattern(node.at("pattern"))), content_(node.at("content").text()) {}

std::string Replacement::apply(std::string_view text) const {
  std::vector<Match> matches;
  pattern_.find_all(text, matches);
  std::string result;
  std::size_t copied = 0;
  for (const Match match : matches) {
    result += text.substr(copied, match.begin - copied);
    result += content_;
    copied = match.end;
  }
  result += text.substr(copied);
  return result;
}

}  // namespace fbt::tokenizer
