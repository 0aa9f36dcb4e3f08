#include "harness/tokenizer/tokenizer_json.h"

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/error.h"
#include "base/json_lines.h"
#include "harness/tokenizer/json_node.h"
#include "harness/tokenizer/post_processor.h"

namespace fbt::tokenizer {
namespace {

std::vector<VocabularyEntry> read_vocabulary(const JsonNode& node) {
  if (!node.value().is_object()) node.fail("should be an object of tokens and their ids");
  std::vector<VocabularyEntry> entries;
  entries.reserve(node.value().size());
  for (const auto& [content, id] : node.value().items()) {
    if (!id.is_number_unsigned() || id.get<std::uint64_t>() > Vocabulary::kLargestId) {
      node.fail(fmt::format("the id of '{}' should be a whole number from 0 to {}", content,
                            Vocabulary::kLargestId));
    }
    entries.push_back({content, id.get<int>()});
  }
  return entries;
}

struct MergeParts {
  std::string_view left;
  std::string_view right;
};

// "left right" or ["left", "right"].
MergeParts read_merge(const JsonNode& node, const nlohmann::json& merge, std::size_t rank) {
  const auto refuse = [&]() {
    node.fail(fmt::format("merge {} should be two tokens, as \"a b\" or [\"a\", \"b\"]", rank));
  };
  if (merge.is_array()) {
    if (merge.size() != 2 || !merge[0].is_string() || !merge[1].is_string()) refuse();
    return {merge[0].get_ref<const std::string&>(), merge[1].get_ref<const std::string&>()};
  }
  if (!merge.is_string()) refuse();
  const std::string_view text = merge.get_ref<const std::string&>();
  const std::size_t space = text.find(' ');
  if (space == std::string_view::npos || text.find(' ', space + 1) != std::string_view::npos) {
    refuse();
  }
  return {text.substr(0, space), text.substr(space + 1)};
}

MergeTable read_merges(const JsonNode& node, const Vocabulary& vocabulary) {
  MergeTable merges(node.size());
  std::string made;
  for (std::size_t rank = 0; rank < node.size(); ++rank) {
    const auto [left, right] = read_merge(node, node.value()[rank], rank);
    made.assign(left);
    made += right;
    const auto id_of = [&](std::string_view token) {
      const auto id = vocabulary.find(token);
      if (!id) {
        node.fail(
            fmt::format("merge {} ('{}' and '{}') needs the token '{}', which is not in "
                        "model.vocab",
                        rank, left, right, token));
      }
      return *id;
    };
    merges.insert(id_of(left), id_of(right), {static_cast<std::uint32_t>(rank), id_of(made)});
  }
  return merges;
}

// Options that change what merges mean are refused, not ignored.
void refuse_unsupported_options(const JsonNode& model) {
  const auto dropout = model.find("dropout");
  if (dropout && dropout->value() != 0) dropout->refuse("merge dropout");
  for (const char* key : {"continuing_subword_prefix", "end_of_word_suffix"}) {
    const auto affix = model.find(key);
    if (affix && !affix->text().empty()) affix->refuse(key);
  }
}

BpeOptions read_options(const JsonNode& model, const Vocabulary& vocabulary, bool byte_level) {
  BpeOptions options;
  options.byte_level = byte_level;
  options.byte_fallback = model.flag_or("byte_fallback", false);
  options.ignore_merges = model.flag_or("ignore_merges", false);
  options.fuse_unk = model.flag_or("fuse_unk", false);
  if (const auto unknown = model.find("unk_token")) {
    options.unknown = vocabulary.find(unknown->text());
    if (!options.unknown) unknown->fail("is not in model.vocab");
  }
  if (byte_level && options.byte_fallback) model.refuse("byte_fallback under ByteLevel");
  return options;
}

std::unique_ptr<const BpeModel> read_model(const JsonNode& model,
                                           const std::vector<VocabularyEntry>& entries,
                                           const Vocabulary& vocabulary, bool byte_level) {
  refuse_unsupported_options(model);
  return std::make_unique<const BpeModel>(entries, read_merges(model.at("merges"), vocabulary),
                                          read_options(model, vocabulary, byte_level));
}

std::unique_ptr<const Vocabulary> join_vocabulary(const JsonNode& root,
                                                  std::vector<VocabularyEntry> entries,
                                                  const std::vector<AddedToken>& added) {
  for (const AddedToken& token : added) entries.push_back({token.content, token.id});
  try {
    return std::make_unique<const Vocabulary>(std::move(entries));
  } catch (const InputError& error) {
    root.fail(error.what());
  }
}

}  // namespace

Parts read_tokenizer_json(std::string_view json, std::string_view name) {
  const nlohmann::json document = parse_json(json, name);
  const JsonNode root(document, fmt::format("{}: ", name));
  const JsonNode model = root.at("model");
  // Files older than the key hold BPE where there are merges.
  if (const auto type = model.find("type")) {
    if (type->text() != "BPE") type->refuse(type->text() + " model");
  } else if (!model.find("merges")) {
    model.refuse("model without merges");
  }

  Parts parts;
  const auto entries = read_vocabulary(model.at("vocab"));
  std::vector<AddedToken> added;
  if (const auto node = root.find("added_tokens")) added = read_added_tokens(*node);
  parts.vocabulary = join_vocabulary(root, entries, added);
  if (const auto node = root.find("normalizer")) parts.normalizer = make_normalizer(*node);
  if (const auto node = root.find("pre_tokenizer"))
    parts.pre_tokenizers = make_pre_tokenizers(*node);
  parts.model = read_model(model, entries, *parts.vocabulary, parts.pre_tokenizers.byte_level);
  parts.added = AddedTokens(std::move(added), parts.normalizer.get());
  if (const auto node = root.find("post_processor")) parts.bos = read_bos(*node);
  if (parts.bos && !parts.vocabulary->has(*parts.bos)) {
    root.at("post_processor").fail(fmt::format("adds id {}, which names no token", *parts.bos));
  }
  if (const auto node = root.find("decoder")) parts.decoder = Decoder(*node);
  return parts;
}

}  // namespace fbt::tokenizer
