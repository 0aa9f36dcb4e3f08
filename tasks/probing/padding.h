#pragma once

// Padding of texts to an exact number of tokens.

#include <cstddef>
#include <string>
#include <string_view>

#include "tasks/probing/probe_dataset.h"

namespace fbt::tasks::probing {

// Filler + `text`, of exactly `tokens` tokens together. The filler is idle
// lines and then, where a whole line would be too much, dots. Throws InputError
// naming `task` where no filler gives that number (or `text` has more already).
std::string pad_front(std::string_view text, std::size_t tokens, const TokenCounter& count_tokens,
                      std::string_view task);

}  // namespace fbt::tasks::probing
