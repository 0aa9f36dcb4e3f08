#pragma once

// A tokenizer.json as it is parsed: its two large tables as flat lists, all
// else as a JSON value. (Hundreds of thousands of tokens and merges as JSON
// values would take longer than all the rest of loading.)

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "harness/tokenizer/vocabulary.h"

namespace fbt::tokenizer {

struct MergeEntry {
  std::string left;
  std::string right;
};

struct TokenizerDocument {
  // Without model.vocab and model.merges where these are an object and an
  // array: there they are null.
  nlohmann::json rest;
  std::vector<VocabularyEntry> vocabulary;  // model.vocab, in file order
  std::vector<MergeEntry> merges;           // model.merges, by rank
};

// Throws InputError, naming `name`: malformed JSON, ids that are no numbers up
// to Vocabulary::kLargestId, merges that are not "left right" or ["left", "right"].
TokenizerDocument parse_tokenizer_document(std::string_view json, std::string_view name);

}  // namespace fbt::tokenizer
