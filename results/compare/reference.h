#pragma once

// Published figures, offered as rows beside measured ones (references.json).

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fbt::results {

struct ReferenceFigure {
  std::string percent;  // as published, with as many decimals
  std::string note;     // what a reader must know of it; empty: nothing
};

struct ReferenceRow {
  std::string name;    // "FBT 1B/200B"
  std::string source;  // "paper, instruct-tuned, zero-shot"
  std::string stage;   // "base" or "instruct"
  double train_tokens = 0;
  std::string family;  // "standard" or "full-bandwidth"
  std::map<std::pair<std::string, std::string>, ReferenceFigure> figures;  // by task or group, mode
};

// As embedded; by train_tokens, then name, those of one source together.
std::vector<ReferenceRow> published_references();

// Throws InputError with `where` and the key.
std::vector<ReferenceRow> parse_references(std::string_view json, std::string_view where);

}  // namespace fbt::results
