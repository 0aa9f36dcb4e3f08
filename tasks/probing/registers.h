#pragma once

// Registers: values are written to m registers, then one is queried. The label
// is the value written to it last. Two families, as published:
//
//   registers-M   every one of M registers is written once, M in {1, 2, 4, 8};
//                 3,840 samples each, padded to 180 tokens
//   overwrites-W  every one of 8 registers is written W times in random order,
//                 W in {2, 4, 8}; 2,048 samples each in 128 groups, padded to
//                 180, 276 and 468 tokens
//
// Groups have 16 samples: eight pairs over the same registers and order of
// writes, pair i querying register i mod M. The two samples of a pair differ in
// the last value written to the queried register.

#include <array>

#include "tasks/probing/probe_dataset.h"

namespace fbt::tasks::probing {

inline constexpr std::array<int, 4> kRegisterCounts = {1, 2, 4, 8};
inline constexpr std::array<int, 3> kOverwriteCounts = {2, 4, 8};
inline constexpr int kRegisterGroups = 240;
inline constexpr int kOverwriteGroups = 128;

struct RegisterOptions {
  std::uint64_t seed = 1;
  int groups = 0;  // 0: as published
  int values = 2;  // how many values a register can take, 2 … 10: the classes
};

// All texts have the published number of tokens. Where this tokenizer needs
// more for one of them, all have as many as the longest (`padded_tokens` says it).
// Throws InputError where m or w is not published, for values out of range, and
// where the tokenizer has no way to pad a text to an exact number of tokens.
ProbeDataset registers(int m, const TokenCounter& count_tokens,
                       const RegisterOptions& options = {});
ProbeDataset overwrites(int w, const TokenCounter& count_tokens,
                        const RegisterOptions& options = {});

}  // namespace fbt::tasks::probing
