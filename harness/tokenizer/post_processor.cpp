#include "harness/tokenizer/post_processor.h"

#include <string>

#include "harness/tokenizer/vocabulary.h"

namespace fbt::tokenizer {
namespace {

int special_token_id(const JsonNode& node, const JsonNode& piece) {
  const JsonNode ids = node.at("special_tokens").at(piece.at("id").text()).at("ids");
  if (ids.size() != 1) ids.fail("should hold one id");
  return static_cast<int>(ids.at(std::size_t{0}).number(Vocabulary::kLargestId));
}

std::optional<int> read_template(const JsonNode& node) {
  const JsonNode single = node.at("single");
  std::optional<int> bos;
  bool text_seen = false;
  for (std::size_t i = 0; i < single.size(); ++i) {
    const JsonNode piece = single.at(i);
    if (piece.find("Sequence")) {
      text_seen = true;
    } else if (text_seen || bos) {
      single.refuse(text_seen ? "token after the text" : "second token before the text");
    } else {
      bos = special_token_id(node, piece.at("SpecialToken"));
    }
  }
  return bos;
}

}  // namespace

std::optional<int> read_bos(const JsonNode& node) {
  const std::string type = node.at("type").text();
  if (type == "ByteLevel") return std::nullopt;  // changes offsets only
  if (type == "TemplateProcessing") return read_template(node);
  if (type != "Sequence") node.refuse(type + " post-processor");

  std::optional<int> bos;
  const JsonNode steps = node.at("processors");
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto step = read_bos(steps.at(i));
    if (step && bos) steps.refuse("second token before the text");
    if (step) bos = step;
  }
  return bos;
}

}  // namespace fbt::tokenizer
