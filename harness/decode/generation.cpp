#include "harness/decode/generation.h"

#include <algorithm>

namespace fbt {

Generation::Generation(const GenerateRequest& request, std::int64_t prompt_tokens,
                       std::int64_t context_length, std::span<const int> stop_tokens,
                       const Tokenizer* tokenizer)
    : request_(request),
      context_length_(context_length),
      stop_tokens_(stop_tokens),
      random_(request.random_key) {
  completion_.prompt_tokens = static_cast<int>(prompt_tokens);
  if (tokenizer == nullptr) return;
  detokenizer_.emplace(*tokenizer, /*skip_special=*/true);
  for (const std::string& stop : request.stop) {
    longest_stop_ = std::max(longest_stop_, stop.size());
    const auto token = tokenizer->token_id(stop);
    if (token && tokenizer->is_special(*token)) stop_string_tokens_.push_back(*token);
  }
}

bool Generation::accept(int token, double log_likelihood) {
  const auto is_in = [token](const auto& list) {
    return std::find(list.begin(), list.end(), token) != list.end();
  };
  completion_.tokens.push_back(token);
  completion_.log_likelihood += log_likelihood;
  const std::size_t before = completion_.text.size();
  if (detokenizer_) completion_.text_ends.push_back(before);
  if (is_in(stop_tokens_)) return finish(StopReason::kStopToken);
  if (is_in(stop_string_tokens_)) return finish(StopReason::kStopString);
  ++completion_.trace_tokens;
  if (detokenizer_) {
    completion_.text += detokenizer_->push(token);
    completion_.text_ends.back() = completion_.text.size();
    if (cut_at_stop_string(before)) return finish(StopReason::kStopString);
  }
  const auto generated = static_cast<std::int64_t>(completion_.tokens.size());
  if (generated >= request_.max_new_tokens) return finish(StopReason::kLength);
  if (completion_.prompt_tokens + generated >= context_length_) {
    return finish(StopReason::kContext);
  }
  return true;
}

bool Generation::finish(StopReason reason) {
  completion_.stop_reason = reason;
  // What was held back for want of a whole character still belongs to the text,
  // unless the text ends before it.
  if (detokenizer_ && reason != StopReason::kStopString) {
    completion_.text += detokenizer_->flush();
    completion_.text_ends.back() = completion_.text.size();
  }
  return false;
}

bool Generation::cut_at_stop_string(std::size_t new_text_begin) {
  // A stop string may have begun in the text that was there before.
  const std::size_t from = new_text_begin < longest_stop_ ? 0 : new_text_begin - longest_stop_ + 1;
  std::size_t earliest = std::string::npos;
  for (const std::string& stop : request_.stop) {
    if (!stop.empty()) earliest = std::min(earliest, completion_.text.find(stop, from));
  }
  if (earliest == std::string::npos) return false;
  // The tokens before the one whose text reaches the stop string, and that one
  // unless nothing comes before the stop string.
  std::vector<std::size_t>& ends = completion_.text_ends;
  const auto reaching = std::lower_bound(ends.begin(), ends.end(), earliest);
  completion_.trace_tokens = earliest == 0 ? 0 : static_cast<int>(reaching - ends.begin()) + 1;
  std::fill(reaching, ends.end(), earliest);
  completion_.text.resize(earliest);
  return true;
}

}  // namespace fbt
