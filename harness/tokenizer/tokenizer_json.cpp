#include "harness/tokenizer/tokenizer_json.h"

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/error.h"
#include "harness/tokenizer/json_node.h"
#include "harness/tokenizer/post_processor.h"
#include "harness/tokenizer/tokenizer_document.h"

namespace fbt::tokenizer {
namespace {

MergeTable read_merges(const JsonNode& model, const std::vector<MergeEntry>& entries,
                       const Vocabulary& vocabulary) {
  MergeTable merges(entries.size());
  for (std::size_t rank = 0; rank < entries.size(); ++rank) {
    const std::string& left = entries[rank].left;
    const std::string& right = entries[rank].right;
    const auto id_of = [&](std::string_view token) {
      const auto id = vocabulary.find(token);
      if (!id) {
        model.fail(
            fmt::format("merge {} ('{}' and '{}') needs the token '{}', which is not in the "
                        "vocabulary",
                        rank, left, right, token));
      }
      return *id;
    };
    merges.insert(id_of(left), id_of(right),
                  {static_cast<std::uint32_t>(rank), id_of(left + right)});
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

// Refuses models that are not BPE. Files older than the key `type` hold BPE where there are merges.
void check_model(const JsonNode& model, const TokenizerDocument& document) {
  if (const auto type = model.find("type")) {
    if (type->text() != "BPE") type->refuse(type->text() + " model");
  } else if (document.merges.empty()) {
    model.refuse("model without type and merges");
  }
  if (document.vocabulary.empty())
    model.fail("'vocab' should be an object of tokens and their ids");
  if (!model.value().contains("merges")) model.fail("'merges' is missing");
  if (!model.value()["merges"].is_null()) model.at("merges").fail("should be an array");
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
  TokenizerDocument document = parse_tokenizer_document(json, name);
  const JsonNode root(document.rest, fmt::format("{}: ", name));
  const JsonNode model = root.at("model");
  check_model(model, document);

  Parts parts;
  std::vector<int> model_ids;
  for (const VocabularyEntry& entry : document.vocabulary) model_ids.push_back(entry.id);
  std::vector<AddedToken> added;
  if (const auto node = root.find("added_tokens")) added = read_added_tokens(*node);
  parts.vocabulary = join_vocabulary(root, std::move(document.vocabulary), added);
  if (const auto node = root.find("normalizer")) parts.normalizer = make_normalizer(*node);
  if (const auto node = root.find("pre_tokenizer")) {
    parts.pre_tokenizers = make_pre_tokenizers(*node);
  }
  refuse_unsupported_options(model);
  parts.model = std::make_unique<const BpeModel>(
      *parts.vocabulary, model_ids, read_merges(model, document.merges, *parts.vocabulary),
      read_options(model, *parts.vocabulary, parts.pre_tokenizers.byte_level));
  parts.added = AddedTokens(std::move(added), parts.normalizer.get());
  if (const auto node = root.find("post_processor")) parts.bos = read_bos(*node);
  if (parts.bos && !parts.vocabulary->has(*parts.bos)) {
    root.at("post_processor").fail(fmt::format("adds id {}, which names no token", *parts.bos));
  }
  if (const auto node = root.find("decoder")) parts.decoder = Decoder(*node);
  return parts;
}

}  // namespace fbt::tokenizer
