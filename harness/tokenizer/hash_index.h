#pragma once

// From a token's text to its id: open addressing over ids, the texts stay with
// their owner. Built once, then only read, by any number of threads.

#include <cstddef>
#include <cstdint>
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
    slots_.resize(capacity);
  }

  // Makes texts[id] lead to `id`. The text must not be there yet.
  void insert(int id) {
    const std::string_view text = (*texts_)[static_cast<std::size_t>(id)];
    slots_[slot_of(text)] = {tag_of(hash_of(text)), id};
  }

  std::optional<int> find(std::string_view text) const {
    const int id = slots_[slot_of(text)].id;
    return id == kEmpty ? std::nullopt : std::optional<int>(id);
  }

 private:
  static constexpr int kEmpty = -1;
  struct Slot {
    std::uint32_t tag = 0;  // hash bits that spare most comparisons of texts
    int id = kEmpty;
  };

  static std::size_t hash_of(std::string_view text) { return std::hash<std::string_view>{}(text); }
  static std::uint32_t tag_of(std::size_t hash) { return static_cast<std::uint32_t>(hash >> 32); }

  // The slot that holds `text`, or the empty one where it would go.
  std::size_t slot_of(std::string_view text) const {
    const std::size_t mask = slots_.size() - 1;
    const std::size_t hash = hash_of(text);
    std::size_t slot = hash & mask;
    while (slots_[slot].id != kEmpty && !holds(slots_[slot], tag_of(hash), text)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  bool holds(Slot slot, std::uint32_t tag, std::string_view text) const {
    return slot.tag == tag && (*texts_)[static_cast<std::size_t>(slot.id)] == text;
  }

  const std::vector<std::string>* texts_;
  std::vector<Slot> slots_;
};

}  // namespace fbt::tokenizer
