#include "tests/harness/tokenizer/small_tokenizer.h"

#include <vector>

#include <fmt/format.h>

#include "harness/tokenizer/byte_alphabet.h"

namespace fbt::testing {

nlohmann::json byte_level_json() {
  nlohmann::json vocabulary = {{"ab", 256}, {"Ġa", 257}, {"Ġab", 258}};
  for (int byte = 0; byte < 256; ++byte) {
    vocabulary[tokenizer::spell_bytes(std::string(1, static_cast<char>(byte)))] = byte;
  }
  return {{"pre_tokenizer", {{"type", "ByteLevel"}, {"add_prefix_space", false}}},
          {"decoder", {{"type", "ByteLevel"}}},
          {"added_tokens", nlohmann::json::array()},
          {"model",
           {{"type", "BPE"},
            {"vocab", vocabulary},
            {"merges", {nlohmann::json("Ġ a"), nlohmann::json("a b"), nlohmann::json("Ġa b")}}}}};
}

nlohmann::json byte_fallback_json() {
  const std::vector<std::string> last = {"▁", "a", "b", "é", "▁a", "ab", "▁ab"};
  nlohmann::json vocabulary = {{"<unk>", 0}, {"<s>", 1}, {"</s>", 2}};
  for (int byte = 0; byte < 256; ++byte) vocabulary[fmt::format("<0x{:02X}>", byte)] = 3 + byte;
  for (std::size_t i = 0; i < last.size(); ++i) vocabulary[last[i]] = 259 + i;
  const nlohmann::json normalizers = {
      {{"type", "Prepend"}, {"prepend", "▁"}},
      {{"type", "Replace"}, {"pattern", {{"String", " "}}}, {"content", "▁"}}};
  const nlohmann::json decoders = {
      {{"type", "Replace"}, {"pattern", {{"String", "▁"}}}, {"content", " "}},
      {{"type", "ByteFallback"}},
      {{"type", "Fuse"}},
      {{"type", "Strip"}, {"content", " "}, {"start", 1}, {"stop", 0}}};
  return {
      {"normalizer", {{"type", "Sequence"}, {"normalizers", normalizers}}},
      {"decoder", {{"type", "Sequence"}, {"decoders", decoders}}},
      {"added_tokens", {added_token(0, "<unk>"), added_token(1, "<s>"), added_token(2, "</s>")}},
      {"model",
       {{"type", "BPE"},
        {"unk_token", "<unk>"},
        {"fuse_unk", true},
        {"byte_fallback", true},
        {"vocab", vocabulary},
        {"merges", {nlohmann::json("▁ a"), nlohmann::json("a b"), nlohmann::json("▁a b")}}}}};
}

nlohmann::json added_token(unsigned id, const std::string& content, const nlohmann::json& extra) {
  nlohmann::json token = {
      {"id", id},        {"content", content},  {"special", true},     {"lstrip", false},
      {"rstrip", false}, {"normalized", false}, {"single_word", false}};
  token.update(extra);
  return token;
}

}  // namespace fbt::testing
