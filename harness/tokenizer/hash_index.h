#pragma once

// From a token's text to its id: open addressing over ids, the texts stay with
// their owner. Built once, then only read, by any number of threads.

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fbt::tokenizer {

class HashIndex {
 public:
  // `texts` must outlive the index; at most `most` ids will be inserted.
  HashIndex(const std::vector<std::string>& texts, std::size_t most) : texts_(&texts) {
    std::size_t capacity = 16;
    while (capacity < 2 * most) capacity *= 2;
    slots_.assign(capacity, kEmpty);
  }

  // Makes texts[id] lead to `id`. The text must not be there yet.
  void insert(int id) { slots_[slot_of((*texts_)[static_cast<std::size_t>(id)])] = id; }

  std::optional<int> find(std::string_view text) const {
    const int id = slots_[slot_of(text)];
    return id == kEmpty ? std::nullopt : std::optional<int>(id);
  }

 private:
  static constexpr int kEmpty = -1;

  // The slot that holds `text`, or the empty one where it would go.
  std::size_t slot_of(std::string_view text) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = std::hash<std::string_view>{}(text)&mask;
    while (slots_[slot] != kEmpty && (*texts_)[static_cast<std::size_t>(slots_[slot])] != text) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  const std::vector<std::string>* texts_;
  std::vector<int> slots_;
};

}  // namespace fbt::tokenizer
