#include "harness/mechanism/text_windows.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "base/sha256.h"

namespace fbt::mechanism {
namespace {

std::string hash_of(const std::vector<std::vector<int>>& windows) {
  Sha256 hash;
  for (const std::vector<int>& window : windows) {
    hash.update({reinterpret_cast<const char*>(window.data()), window.size() * sizeof(int)});
    hash.update("|");
  }
  return hash.hex();
}

TextWindows finish(std::string source, std::vector<std::vector<int>> windows) {
  std::string hash = hash_of(windows);
  return {std::move(source), std::move(hash), std::move(windows)};
}

// The index of the choice that is right, or of the first of several.
std::size_t right_choice(const tasks::Document& document) {
  if (document.right_choice) return static_cast<std::size_t>(*document.right_choice);
  const auto* truths = std::get_if<std::vector<int>>(&document.target);
  if (truths == nullptr) return 0;
  return static_cast<std::size_t>(std::find(truths->begin(), truths->end(), 1) - truths->begin());
}

std::string text_of(const tasks::Document& document) {
  if (document.generation) return document.generation->context + document.reference.gold;
  const std::size_t right = std::min(right_choice(document), document.requests.size() - 1);
  return document.requests[right].context + document.requests[right].continuation;
}

void check(const WindowOptions& options) {
  if (options.tokens >= 3 && options.limit >= 1) return;
  throw InputError(
      fmt::format("windows of {} tokens, {} of them; give at least 3 tokens and 1 window",
                  options.tokens, options.limit));
}

}  // namespace

TextWindows windows_of_text(std::string_view text, std::string_view name,
                            const TokenizeText& tokenize, const WindowOptions& options) {
  check(options);
  const std::vector<int> front = tokenize("");
  const std::vector<int> all = tokenize(text);
  const std::span<const int> body = std::span(all).subspan(std::min(front.size(), all.size()));
  if (body.size() < 2) {
    throw InputError(
        fmt::format("{}: {} tokens of text; a loss needs at least 2", name, body.size()));
  }
  const std::size_t length =
      std::min(body.size(), static_cast<std::size_t>(options.tokens) - front.size());
  std::vector<std::vector<int>> windows;
  for (std::size_t begin = 0;
       begin + length <= body.size() && windows.size() < static_cast<std::size_t>(options.limit);
       begin += length) {
    std::vector<int>& window = windows.emplace_back(front);
    const auto part = body.subspan(begin, length);
    window.insert(window.end(), part.begin(), part.end());
  }
  return finish(std::string(name), std::move(windows));
}

TextWindows windows_of_documents(const tasks::Task& task, const tasks::PromptSet& prompts,
                                 const TokenizeText& tokenize, const WindowOptions& options) {
  check(options);
  std::vector<std::vector<int>> windows;
  for (int id = 0; id < std::min(prompts.document_count(), options.limit); ++id) {
    std::vector<int> window = tokenize(text_of(prompts.document(id)));
    window.resize(std::min(window.size(), static_cast<std::size_t>(options.tokens)));
    if (window.size() >= 2) windows.push_back(std::move(window));
  }
  return finish(fmt::format("{} ({}-shot)", task.name(), prompts.shots()), std::move(windows));
}

}  // namespace fbt::mechanism
