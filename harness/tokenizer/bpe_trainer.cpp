#include "harness/tokenizer/bpe_trainer.h"

#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/utf8.h"
#include "harness/tokenizer/byte_alphabet.h"
#include "harness/tokenizer/pair_counts.h"

namespace fbt::tokenizer {
namespace {

constexpr int kBos = 0;
constexpr int kEos = 1;
constexpr int kFirstByte = 2;
constexpr int kFirstMerged = kFirstByte + 256;

// English contractions; letters, or signs, with one space before them; up to so
// many digits; white space, whose last character is left to what follows it.
std::string pattern(int digits) {
  return fmt::format(
      R"((?i:'(?:s|t|d|m|re|ve|ll))| ?\p{{L}}+|\p{{N}}{{1,{}}}| ?[^\s\p{{L}}\p{{N}}]+|\s+(?!\S)|\s+)",
      digits);
}

nlohmann::ordered_json pre_tokenizer_json(int digits) {
  nlohmann::ordered_json split = {{"type", "Split"},
                                  {"pattern", {{"Regex", pattern(digits)}}},
                                  {"behavior", "Isolated"},
                                  {"invert", false}};
  nlohmann::ordered_json byte_level = {{"type", "ByteLevel"},
                                       {"add_prefix_space", false},
                                       {"trim_offsets", true},
                                       {"use_regex", false}};
  return {{"type", "Sequence"}, {"pretokenizers", {split, byte_level}}};
}

nlohmann::ordered_json decoder_json() {
  return {{"type", "ByteLevel"},
          {"add_prefix_space", true},
          {"trim_offsets", true},
          {"use_regex", true}};
}

nlohmann::ordered_json special_token_json(int id, const std::string& content) {
  return {{"id", id},        {"content", content},  {"single_word", false}, {"lstrip", false},
          {"rstrip", false}, {"normalized", false}, {"special", true}};
}

// BOS in front of every text.
nlohmann::ordered_json post_processor_json(const std::string& bos) {
  const auto special = [&](int type) {
    return nlohmann::ordered_json{{"SpecialToken", {{"id", bos}, {"type_id", type}}}};
  };
  const auto sequence = [](const char* id, int type) {
    return nlohmann::ordered_json{{"Sequence", {{"id", id}, {"type_id", type}}}};
  };
  nlohmann::ordered_json tokens;
  tokens[bos] = {{"id", bos}, {"ids", {kBos}}, {"tokens", {bos}}};
  return {{"type", "TemplateProcessing"},
          {"single", {special(0), sequence("A", 0)}},
          {"pair", {special(0), sequence("A", 0), special(1), sequence("B", 1)}},
          {"special_tokens", tokens}};
}

// The tokens learned, as bytes, and the merges that make them.
class Vocabulary {
 public:
  Vocabulary(const std::string& bos, const std::string& eos) {
    add(bos);
    add(eos);
    for (int byte = 0; byte < 256; ++byte)
      add(spell_bytes(std::string(1, static_cast<char>(byte))));
  }

  int size() const { return static_cast<int>(contents_.size()); }

  // The token that the pair becomes: a new one, unless other merges make it too.
  int merge(TokenPair pair) {
    const std::string& left = contents_[static_cast<std::size_t>(pair.left)];
    const std::string& right = contents_[static_cast<std::size_t>(pair.right)];
    merges_.push_back(left + " " + right);
    return add(left + right);
  }

  nlohmann::ordered_json model_json() const {
    nlohmann::ordered_json vocabulary = nlohmann::ordered_json::object();
    auto& entries = vocabulary.get_ref<nlohmann::ordered_json::object_t&>();
    for (int id = 0; id < size(); ++id) {
      entries.emplace_back(contents_[static_cast<std::size_t>(id)], id);
    }
    return {{"type", "BPE"},
            {"dropout", nullptr},
            {"unk_token", nullptr},
            {"continuing_subword_prefix", nullptr},
            {"end_of_word_suffix", nullptr},
            {"fuse_unk", false},
            {"byte_fallback", false},
            {"ignore_merges", false},
            {"vocab", std::move(vocabulary)},
            {"merges", merges_}};
  }

 private:
  int add(const std::string& content) {
    const auto [entry, is_new] = ids_.emplace(content, size());
    if (is_new) contents_.push_back(content);
    return entry->second;
  }

  std::vector<std::string> contents_;
  std::unordered_map<std::string, int> ids_;
  std::vector<std::string> merges_;
};

PreTokenizerChain make_chain(int digits) {
  const nlohmann::json json = pre_tokenizer_json(digits);
  return make_pre_tokenizers(JsonNode(json, "pre_tokenizer"));
}

}  // namespace

BpeTrainer::BpeTrainer(BpeTrainerOptions options)
    : options_(std::move(options)), pre_tokenizers_(make_chain(options_.digits)) {
  if (options_.vocab_size < kFirstMerged) {
    throw InputError(
        fmt::format("a vocabulary of {} tokens is too small; the bytes and the special "
                    "tokens need {}",
                    options_.vocab_size, kFirstMerged));
  }
}

void BpeTrainer::add_text(std::string_view text) {
  const std::string valid = replace_invalid_utf8(text);
  PieceList list{{{valid, true}}, {}};
  for (const auto& step : pre_tokenizers_.steps) step->apply(list);
  for (const Piece& piece : list.pieces) ++word_counts_[std::string(piece.text)];
}

std::string BpeTrainer::train() const {
  std::vector<CountedWord> words;
  for (const auto& [word, count] : word_counts_) {
    CountedWord counted{{}, count};
    for (const char byte : word)
      counted.tokens.push_back(kFirstByte + static_cast<unsigned char>(byte));
    words.push_back(std::move(counted));
  }
  PairCounts pairs(std::move(words));
  Vocabulary vocabulary(options_.bos, options_.eos);
  while (vocabulary.size() < options_.vocab_size) {
    const auto pair = pairs.most_frequent(options_.minimum_count);
    if (!pair) break;
    pairs.merge(*pair, vocabulary.merge(*pair));
  }

  const nlohmann::ordered_json document = {
      {"version", "1.0"},
      {"truncation", nullptr},
      {"padding", nullptr},
      {"added_tokens",
       {special_token_json(kBos, options_.bos), special_token_json(kEos, options_.eos)}},
      {"normalizer", nullptr},
      {"pre_tokenizer", pre_tokenizer_json(options_.digits)},
      {"post_processor", post_processor_json(options_.bos)},
      {"decoder", decoder_json()},
      {"model", vocabulary.model_json()}};
  return document.dump(1) + "\n";
}

}  // namespace fbt::tokenizer
