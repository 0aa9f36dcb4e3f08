#include "harness/tokenizer/incremental_detokenizer.h"

#include <utility>

#include "base/utf8.h"
#include "harness/tokenizer/decoder.h"
#include "harness/tokenizer/tokenizer_impl.h"

namespace fbt {

using tokenizer::DecodeStream;

struct IncrementalDetokenizer::State {
  const Tokenizer::Impl* tokenizer;
  bool skip_special;
  DecodeStream stream;
  std::string pending;  // the start of a UTF-8 sequence
};

IncrementalDetokenizer::IncrementalDetokenizer(const Tokenizer& tokenizer, bool skip_special)
    : state_(std::make_unique<State>(State{tokenizer.impl_.get(), skip_special,
                                           DecodeStream(tokenizer.impl_->parts.decoder), ""})) {}
IncrementalDetokenizer::~IncrementalDetokenizer() = default;
IncrementalDetokenizer::IncrementalDetokenizer(IncrementalDetokenizer&&) noexcept = default;
IncrementalDetokenizer& IncrementalDetokenizer::operator=(IncrementalDetokenizer&&) noexcept =
    default;

std::string IncrementalDetokenizer::push(int id) {
  const std::string* content = state_->tokenizer->content(id, state_->skip_special);
  if (content == nullptr) return "";
  state_->stream.push(*content, state_->pending);
  const std::size_t complete = complete_utf8_prefix(state_->pending);
  std::string text = state_->pending.substr(0, complete);
  state_->pending.erase(0, complete);
  return text;
}

std::string IncrementalDetokenizer::flush() {
  state_->stream.finish();
  return std::exchange(state_->pending, "");
}

}  // namespace fbt
