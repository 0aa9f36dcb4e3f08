#include "harness/tokenizer/bpe_model.h"

#include <algorithm>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "base/utf8.h"
#include "harness/tokenizer/byte_alphabet.h"

namespace fbt::tokenizer {
namespace {

constexpr std::uint32_t kNone = UINT32_MAX;

std::vector<std::string> token_texts(const Vocabulary& vocabulary, std::span<const int> ids,
                                     bool byte_level) {
  std::vector<std::string> texts(vocabulary.size());
  for (const int id : ids) {
    const std::string& content = vocabulary.content(id);
    // What is not spelled in the alphabet can never be a piece: it stays empty.
    texts[static_cast<std::size_t>(id)] =
        byte_level ? unspell_bytes(content).value_or("") : content;
  }
  return texts;
}

}  // namespace

BpeModel::BpeModel(const Vocabulary& vocabulary, std::span<const int> ids, MergeTable merges,
                   BpeOptions options)
    : options_(options),
      merges_(std::move(merges)),
      texts_(token_texts(vocabulary, ids, options.byte_level)),
      index_(texts_, ids.size()),
      encodes_to_itself_(texts_.size()) {
  for (std::size_t id = 0; id < texts_.size(); ++id) {
    if (texts_[id].empty()) continue;
    index_.insert(static_cast<int>(id));
    longest_ = std::max(longest_, texts_[id].size());
  }
  for (std::size_t byte = 0; byte < byte_ids_.size(); ++byte) {
    const std::string text = options_.byte_level ? std::string(1, static_cast<char>(byte))
                                                 : fmt::format("<0x{:02X}>", byte);
    byte_ids_[byte] = index_.find(text).value_or(-1);
  }
  Workspace workspace;
  for (std::size_t id = 0; id < texts_.size() && !options_.ignore_merges; ++id) {
    merge(texts_[id], workspace);
    const auto& symbols = workspace.symbols;
    encodes_to_itself_[id] =
        !symbols.empty() && symbols[0].next == kNone && symbols[0].id == static_cast<int>(id);
  }
}

void BpeModel::encode(std::string_view piece, std::vector<int>& ids, Workspace& workspace) const {
  if (piece.empty()) return;
  if (piece.size() <= longest_) {
    const auto id = index_.find(piece);
    if (id && (options_.ignore_merges || encodes_to_itself_[static_cast<std::size_t>(*id)])) {
      ids.push_back(*id);
      return;
    }
  }
  merge(piece, workspace);
  if (workspace.symbols.empty()) return;
  for (std::uint32_t at = 0; at != kNone; at = workspace.symbols[at].next) {
    ids.push_back(workspace.symbols[at].id);
  }
}

// The first symbol is never merged away: the list starts at 0.
void BpeModel::merge(std::string_view piece, Workspace& workspace) const {
  auto& symbols = workspace.symbols;
  auto& queue = workspace.queue;
  symbols.clear();
  queue.clear();
  if (options_.byte_level) {
    split_into_bytes(piece, workspace);
  } else {
    split_into_characters(piece, workspace);
  }
  for (std::uint32_t i = 0; i < symbols.size(); ++i) {
    symbols[i].previous = i == 0 ? kNone : i - 1;
    symbols[i].next = i + 1 == symbols.size() ? kNone : i + 1;
  }
  for (std::uint32_t i = 0; i < symbols.size(); ++i) find_merge(workspace, i);
  while (!queue.empty()) {
    const std::uint64_t best = queue.front();
    std::pop_heap(queue.begin(), queue.end(), std::greater<>());
    queue.pop_back();
    const auto position = static_cast<std::uint32_t>(best);
    // Entries of pairs that are no longer there are stale.
    if (symbols[position].merge.rank == best >> 32) merge_with_next(workspace, position);
  }
}

void BpeModel::split_into_bytes(std::string_view piece, Workspace& workspace) const {
  for (const char byte : piece) {
    int id = byte_ids_[static_cast<unsigned char>(byte)];
    if (id < 0) id = options_.unknown.value_or(-1);
    if (id >= 0) workspace.symbols.push_back({id, kNone, kNone, {}});
  }
}

void BpeModel::split_into_characters(std::string_view piece, Workspace& workspace) const {
  bool last_is_unknown = false;
  for (std::size_t offset = 0; offset < piece.size();) {
    const std::size_t begin = offset;
    next_code_point(piece, offset);
    const std::string_view character = piece.substr(begin, offset - begin);
    if (const auto id = index_.find(character)) {
      workspace.symbols.push_back({*id, kNone, kNone, {}});
      last_is_unknown = false;
    } else if (options_.byte_fallback && append_byte_tokens(character, workspace)) {
      last_is_unknown = false;
    } else if (options_.unknown) {
      if (!last_is_unknown || !options_.fuse_unk) {
        workspace.symbols.push_back({*options_.unknown, kNone, kNone, {}});
      }
      last_is_unknown = true;
    }
  }
}

bool BpeModel::append_byte_tokens(std::string_view character, Workspace& workspace) const {
  const auto id_of = [this](char byte) { return byte_ids_[static_cast<unsigned char>(byte)]; };
  if (std::any_of(character.begin(), character.end(), [&](char c) { return id_of(c) < 0; })) {
    return false;
  }
  for (const char byte : character) workspace.symbols.push_back({id_of(byte), kNone, kNone, {}});
  return true;
}

void BpeModel::find_merge(Workspace& workspace, std::uint32_t position) const {
  auto& symbol = workspace.symbols[position];
  symbol.merge.rank = MergeTable::kNoRank;
  if (symbol.next == kNone) return;
  symbol.merge = merges_.find(symbol.id, workspace.symbols[symbol.next].id);
  if (symbol.merge.rank == MergeTable::kNoRank) return;
  workspace.queue.push_back(static_cast<std::uint64_t>(symbol.merge.rank) << 32 | position);
  std::push_heap(workspace.queue.begin(), workspace.queue.end(), std::greater<>());
}

void BpeModel::merge_with_next(Workspace& workspace, std::uint32_t position) const {
  auto& symbols = workspace.symbols;
  auto& symbol = symbols[position];
  auto& gone = symbols[symbol.next];
  symbol.id = symbol.merge.id;
  symbol.next = gone.next;
  gone.merge.rank = MergeTable::kNoRank;
  if (symbol.next != kNone) symbols[symbol.next].previous = position;
  find_merge(workspace, position);
  if (symbol.previous != kNone) find_merge(workspace, symbol.previous);
}

}  // namespace fbt::tokenizer
