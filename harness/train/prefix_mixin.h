#pragma once

// Prefix mixin: in a fused pass, some sequences keep a prefix plain, so that
// the model learns to go over from plain inputs to fused ones at any position,
// as soft decoding does.

#include <cstdint>
#include <vector>

namespace fbt::train {

// Plain prefix lengths of `rows` sequences of `length` tokens in one pass: with
// probability `share` uniform over 1 … length - 1, otherwise 0. Named by `key`.
std::vector<std::int64_t> draw_plain_prefixes(std::int64_t rows, std::int64_t length, double share,
                                              std::uint64_t key);

}  // namespace fbt::train
