#include "harness/decode/request_tokens.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "base/error.h"
#include "base/utf8.h"
#include "harness/decode/encode_memo.h"

namespace fbt {
namespace {

// Python's str.isspace().
bool is_python_space(char32_t c) {
  return (c >= 0x09 && c <= 0x0d) || (c >= 0x1c && c <= 0x20) || c == 0x85 || c == 0xa0 ||
         c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f ||
         c == 0x205f || c == 0x3000;
}

// Bytes of `text` without the spaces at its end.
std::size_t stripped_length(std::string_view text) {
  std::size_t length = 0;
  for (std::size_t offset = 0; offset < text.size();) {
    const char32_t c = next_code_point(text, offset);
    if (!is_python_space(c)) length = offset;
  }
  return length;
}

int require_prefix_token(const TextTokens& text) {
  if (!text.prefix_token) {
    throw InputError(
        "an empty context needs a BOS or EOS token, but neither config.json nor tokenizer.json "
        "names one");
  }
  return *text.prefix_token;
}

// Cuts the oldest tokens down to `limit`; returns how many went.
int keep_newest(std::vector<int>& tokens, std::int64_t limit) {
  const std::int64_t surplus =
      std::max<std::int64_t>(0, static_cast<std::int64_t>(tokens.size()) - limit);
  tokens.erase(tokens.begin(), tokens.begin() + surplus);
  return static_cast<int>(surplus);
}

}  // namespace

void check_token_ids(std::span<const int> ids, std::int64_t vocab_size) {
  for (const int id : ids) {
    if (id < 0 || id >= vocab_size) {
      throw InputError(
          fmt::format("token id {} is outside the model's vocabulary of {}", id, vocab_size));
    }
  }
}

std::vector<int> TextTokens::encode(std::string_view text) const {
  if (tokenizer == nullptr) {
    throw InputError(
        "this checkpoint has no tokenizer.json; give one with --tokenizer, or token ids");
  }
  std::vector<int> ids = tokenizer->encode(text);
  const std::optional<int> bos = tokenizer->bos_id();
  if (bos && (ids.empty() || ids.front() != *bos)) ids.insert(ids.begin(), *bos);
  return ids;
}

ScoreTokens score_tokens_of(const ScoreRequest& request, EncodeMemo& memo) {
  const TextTokens& text = memo.text();
  ScoreTokens tokens;
  if (request.context.empty()) {
    tokens.context = {require_prefix_token(text)};
    const std::vector<int>& ids = memo.encode(request.continuation);
    const bool has_prefix = !ids.empty() && ids.front() == tokens.context.front();
    tokens.continuation.assign(ids.begin() + (has_prefix ? 1 : 0), ids.end());
  } else {
    const std::string_view context =
        std::string_view(request.context).substr(0, stripped_length(request.context));
    const std::size_t context_tokens = memo.encode(context).size();
    const std::vector<int>& whole = memo.encode(request.context + request.continuation);
    const std::size_t parted = std::min(context_tokens, whole.size());
    tokens.continuation.assign(whole.begin() + static_cast<std::ptrdiff_t>(parted), whole.end());
    // The whole text's tokens are what the model sees.
    tokens.context.assign(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(parted));
    if (tokens.context.empty()) tokens.context = {require_prefix_token(text)};
  }
  const auto length = static_cast<std::int64_t>(tokens.continuation.size());
  if (length == 0) throw InputError("a continuation to score has no tokens");
  if (length > text.context_length) {
    throw InputError(
        fmt::format("a continuation of {} tokens does not fit the model's context "
                    "of {}",
                    length, text.context_length));
  }
  tokens.cut = keep_newest(tokens.context, text.context_length + 1 - length);
  check_token_ids(tokens.context, text.vocab_size);
  check_token_ids(tokens.continuation, text.vocab_size);
  return tokens;
}

PromptTokens prompt_tokens_of(const GenerateRequest& request, EncodeMemo& memo) {
  const TextTokens& text = memo.text();
  PromptTokens prompt;
  prompt.tokens =
      request.prompt_tokens.empty() ? memo.encode(request.prompt) : request.prompt_tokens;
  if (prompt.tokens.empty()) prompt.tokens = {require_prefix_token(text)};
  check_token_ids(prompt.tokens, text.vocab_size);
  prompt.cut = keep_newest(prompt.tokens,
                           std::max<std::int64_t>(1, text.context_length - request.max_new_tokens));
  return prompt;
}

}  // namespace fbt
