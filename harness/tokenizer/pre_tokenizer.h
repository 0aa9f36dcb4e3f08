#pragma once

// How a text is cut into pieces before BPE, which never merges across them:
// Hugging Face's pre-tokenizers Split, ByteLevel, Digits, Metaspace,
// Punctuation, Whitespace, WhitespaceSplit and Sequence.

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/tokenizer/json_node.h"

namespace fbt::tokenizer {

struct Piece {
  std::string_view text;
  bool starts_input = false;  // begins where the whole input begins
};

// The pieces of one text, in order.
struct PieceList {
  std::vector<Piece> pieces;
  std::deque<std::string> rewritten;  // owns the texts that steps changed
};

// One step. Immutable; any number of threads may call it at once.
class PreTokenizer {
 public:
  virtual ~PreTokenizer() = default;
  // Replaces every piece by those it is cut into. Empty pieces disappear.
  virtual void apply(PieceList& list) const = 0;
};

struct PreTokenizerChain {
  std::vector<std::unique_ptr<PreTokenizer>> steps;
  // The model sees the pieces' bytes, spelled in the alphabet of byte_alphabet.h
  // (the spelling is implied: pieces hold the plain bytes).
  bool byte_level = false;
};

// Throws InputError, naming a kind that is not supported.
PreTokenizerChain make_pre_tokenizers(const JsonNode& node);

}  // namespace fbt::tokenizer
