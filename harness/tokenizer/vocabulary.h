#pragma once

// The tokens of a file, model's and added, by id and by content.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/tokenizer/hash_index.h"

namespace fbt::tokenizer {

struct VocabularyEntry {
  std::string content;
  int id;
};

// Immutable once built.
class Vocabulary {
 public:
  // Ids above this are taken for a damaged file.
  static constexpr int kLargestId = (1 << 21) - 1;

  // Entries come in any order; the same (content, id) may come twice. Throws
  // InputError where two contents share an id or one content has two.
  explicit Vocabulary(std::vector<VocabularyEntry> entries);
  Vocabulary(const Vocabulary&) = delete;
  Vocabulary& operator=(const Vocabulary&) = delete;

  std::optional<int> find(std::string_view content) const { return index_.find(content); }
  bool has(int id) const;
  // Empty where there is no such id.
  const std::string& content(int id) const;
  // One past the largest id.
  std::size_t size() const { return contents_.size(); }

 private:
  std::vector<std::string> contents_;
  std::vector<bool> present_;
  HashIndex index_;
};

}  // namespace fbt::tokenizer
