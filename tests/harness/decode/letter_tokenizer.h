#pragma once

// A tokenizer.json whose tokens are the letters a to z and the space, with BOS 0
// in front of every text and EOS 1: one token a character, so that tests can
// count by hand.

#include <random>
#include <string>

#include <nlohmann/json.hpp>

namespace fbt::testing {

inline constexpr int kLetterVocabulary = 32;  // three rows more than there are tokens

inline std::string letter_tokenizer() {
  nlohmann::json vocabulary = {{"<bos>", 0}, {"<eos>", 1}, {"\u0120", 2}};  // U+0120: the space
  for (int letter = 0; letter < 26; ++letter) {
    vocabulary[std::string(1, static_cast<char>('a' + letter))] = 3 + letter;
  }
  const auto special = [](int id, const char* content) {
    return nlohmann::json{{"id", id},        {"content", content}, {"single_word", false},
                          {"lstrip", false}, {"rstrip", false},    {"normalized", false},
                          {"special", true}};
  };
  const nlohmann::json byte_level = {{"type", "ByteLevel"},
                                     {"add_prefix_space", false},
                                     {"trim_offsets", false},
                                     {"use_regex", true}};
  const nlohmann::json bos = {{"SpecialToken", {{"id", "<bos>"}, {"type_id", 0}}}};
  const auto sequence = [](const char* id) {
    return nlohmann::json{{"Sequence", {{"id", id}, {"type_id", 0}}}};
  };
  return nlohmann::json{
      {"version", "1.0"},
      {"truncation", nullptr},
      {"padding", nullptr},
      {"added_tokens", {special(0, "<bos>"), special(1, "<eos>")}},
      {"normalizer", nullptr},
      {"pre_tokenizer", byte_level},
      {"post_processor",
       {{"type", "TemplateProcessing"},
        {"single", {bos, sequence("A")}},
        {"pair", {bos, sequence("A"), sequence("B")}},
        {"special_tokens", {{"<bos>", {{"id", "<bos>"}, {"ids", {0}}, {"tokens", {"<bos>"}}}}}}}},
      {"decoder", byte_level},
      {"model",
       {{"type", "BPE"},
        {"dropout", nullptr},
        {"unk_token", nullptr},
        {"continuing_subword_prefix", nullptr},
        {"end_of_word_suffix", nullptr},
        {"fuse_unk", false},
        {"byte_fallback", false},
        {"vocab", vocabulary},
        {"merges", nlohmann::json::array()}}}}
      .dump();
}

inline std::string random_letters(std::mt19937& random, std::size_t length) {
  std::string text;
  for (std::size_t i = 0; i < length; ++i) text += static_cast<char>('a' + random() % 26);
  return text;
}

}  // namespace fbt::testing
