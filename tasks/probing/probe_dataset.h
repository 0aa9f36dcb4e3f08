#pragma once

// The data of the probing experiments: short texts that all end in the same
// colon and whose label depends only on what stands before it. A linear probe
// then asks whether the model's residual stream at that colon knows the label.
//
// Samples come in pairs that differ in one update and in the label and are
// otherwise the same text, so that nothing but that update tells them apart.
// Groups share their history; cross-validation never splits one.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace fbt::tasks::probing {

struct ProbeSample {
  std::string text;  // ends in ':'
  int label = 0;     // 0 … classes - 1
  int group = 0;     // 0 … groups - 1
  int pair = 0;      // the two samples of a pair share it; unique within the data set
  int idle = 0;      // idle updates between the last one that matters and the colon
};

struct ProbeDataset {
  std::string name;  // "completion", "recall", "registers-4", "overwrites-2"
  int classes = 2;
  int groups = 0;
  int padded_tokens = 0;  // every text has this many tokens; 0 where texts differ
  std::vector<ProbeSample> samples;
};

// Number of tokens of a text, as the model will read it.
using TokenCounter = std::function<std::size_t(std::string_view text)>;

struct ProbeOptions {
  std::uint64_t seed = 1;
  int groups = 0;  // 0: as published
  std::vector<int> idle_updates = {0, 8, 32, 128, 256};
};

}  // namespace fbt::tasks::probing
