#pragma once

// Byte pair encoding (Sennrich et al., 2016): a piece starts as single
// characters (or bytes), and of all adjacent pairs that the merge table knows,
// the one of lowest rank, leftmost first, becomes one token, until none is left.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/tokenizer/hash_index.h"
#include "harness/tokenizer/merge_table.h"
#include "harness/tokenizer/vocabulary.h"

namespace fbt::tokenizer {

struct BpeOptions {
  bool byte_level = false;          // symbols are bytes, spelled in byte_alphabet.h's alphabet
  bool byte_fallback = false;       // a character outside the vocabulary becomes tokens <0xNN>
  bool ignore_merges = false;       // a piece that is a token needs no merges to become it
  bool fuse_unk = false;            // adjacent unknown characters become one unknown token
  std::optional<int> unknown = {};  // without it, unknown characters disappear
};

// Immutable; any number of threads may encode at once, each with its own Workspace.
class BpeModel {
 public:
  // What a word looks like while it is merged; reused from word to word.
  class Workspace {
    friend class BpeModel;

    struct Symbol {
      int id;
      std::uint32_t previous;  // kNone at the ends
      std::uint32_t next;
      Merge merge;  // with the next symbol; rank kNoRank where there is none
    };
    std::vector<Symbol> symbols;
    std::vector<std::uint64_t> queue;  // min-heap of (rank, position)
  };

  // `ids` are the tokens of `vocabulary` that are the model's, not only added; an id may come
  // twice. `vocabulary` may go afterwards.
  BpeModel(const Vocabulary& vocabulary, std::span<const int> ids, MergeTable merges,
           BpeOptions options);
  BpeModel(const BpeModel&) = delete;
  BpeModel& operator=(const BpeModel&) = delete;

  // Appends the ids of `piece`: valid UTF-8 of less than 2^32 bytes, in byte-level models any
  // bytes. Takes O(n log n) for n symbols, whatever they are.
  void encode(std::string_view piece, std::vector<int>& ids, Workspace& workspace) const;

 private:
  void merge(std::string_view piece, Workspace& workspace) const;
  void split_into_bytes(std::string_view piece, Workspace& workspace) const;
  void split_into_characters(std::string_view piece, Workspace& workspace) const;
  bool append_byte_tokens(std::string_view character, Workspace& workspace) const;
  void find_merge(Workspace& workspace, std::uint32_t position) const;
  void merge_with_next(Workspace& workspace, std::uint32_t position) const;

  BpeOptions options_;
  MergeTable merges_;
  std::vector<std::string> texts_;  // [id], bytes that the token stands for; empty where none
  HashIndex index_;
  std::size_t longest_ = 0;              // bytes of the longest token
  std::array<int, 256> byte_ids_;        // byte-level: of each byte; fallback: of <0xNN>; -1: none
  std::vector<bool> encodes_to_itself_;  // [id], whether merging the token's text gives the token
};

}  // namespace fbt::tokenizer
