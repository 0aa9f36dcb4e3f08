#include "harness/decode/encode_memo.h"

namespace fbt {
namespace {

// Texts that are remembered: those of a few documents.
constexpr std::size_t kMostTexts = 64;

}  // namespace

const std::vector<int>& EncodeMemo::encode(std::string_view string) {
  std::string key(string);
  const auto found = known_.find(key);
  if (found != known_.end()) return found->second;
  if (known_.size() >= kMostTexts) known_.clear();
  std::vector<int> ids = text_.encode(string);
  return known_.emplace(std::move(key), std::move(ids)).first->second;
}

}  // namespace fbt
