#include "harness/tokenizer/vocabulary.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"

namespace fbt::tokenizer {

Vocabulary::Vocabulary(std::vector<VocabularyEntry> entries) : index_(contents_, entries.size()) {
  int largest = -1;
  for (const VocabularyEntry& entry : entries) largest = std::max(largest, entry.id);
  contents_.resize(static_cast<std::size_t>(largest + 1));
  present_.resize(contents_.size());
  for (VocabularyEntry& entry : entries) {
    const auto id = static_cast<std::size_t>(entry.id);
    if (present_[id] && contents_[id] == entry.content) continue;
    if (present_[id]) {
      throw InputError(
          fmt::format("id {} names both '{}' and '{}'; every token needs an id of its own",
                      entry.id, contents_[id], entry.content));
    }
    if (const auto other = index_.find(entry.content)) {
      throw InputError(fmt::format("'{}' has the ids {} and {}; it needs exactly one",
                                   entry.content, *other, entry.id));
    }
    contents_[id] = std::move(entry.content);
    present_[id] = true;
    index_.insert(entry.id);
  }
}

bool Vocabulary::has(int id) const {
  return id >= 0 && static_cast<std::size_t>(id) < present_.size() &&
         present_[static_cast<std::size_t>(id)];
}

const std::string& Vocabulary::content(int id) const {
  static const std::string none;
  return has(id) ? contents_[static_cast<std::size_t>(id)] : none;
}

}  // namespace fbt::tokenizer
