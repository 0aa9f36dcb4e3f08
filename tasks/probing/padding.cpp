#include "tasks/probing/padding.h"

#include <array>

#include <fmt/format.h>

#include "base/error.h"

namespace fbt::tasks::probing {
namespace {

// From coarse to fine. Several of one token's length, since tokenizers merge
// some of them with their neighbours.
constexpr std::array<std::string_view, 6> kFillers = {"idle\n", "ok\n", "-\n", "\n", " .", " -"};

}  // namespace

std::string pad_front(std::string_view text, std::size_t tokens, const TokenCounter& count_tokens,
                      std::string_view task) {
  const auto padded = [&](const std::string& filler) { return filler + std::string(text); };
  std::string filler;
  std::size_t count = count_tokens(text);
  for (const std::string_view piece : kFillers) {
    while (count < tokens) {
      const std::string longer = std::string(piece) + filler;
      const std::size_t longer_count = count_tokens(padded(longer));
      if (longer_count > tokens || longer_count <= count) break;
      filler = longer;
      count = longer_count;
    }
  }
  if (count != tokens) {
    throw InputError(fmt::format(
        "probe task '{}': a text of {} tokens cannot be padded to exactly {} with this tokenizer",
        task, count, tokens));
  }
  return padded(filler);
}

}  // namespace fbt::tasks::probing
