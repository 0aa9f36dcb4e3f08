#pragma once

// Logits at every position, for parity checks against a trainer. Without
// LibTorch's headers, as torch_backend.h.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "harness/decode/torch_backend.h"

namespace fbt {

// Receives the logits of one row, vocabulary by position: `at(t)` are those that
// follow token t. Called in the rows' order.
using LogitSink = std::function<void(std::size_t row, std::span<const std::vector<double>> logits)>;

// Pass 0 and `feedback_steps` fused passes over each row of token ids, positions
// below `plain_prefix` held plain; the last pass's logits. The engine's own
// path: packed rows, shared prefixes, cache. Throws InputError for empty rows,
// rows longer than the context, ids outside the vocabulary, and feedback steps
// without feedback weights.
void compute_logits(const TorchBackendOptions& options, const std::vector<std::vector<int>>& rows,
                    int feedback_steps, std::int64_t plain_prefix, const LogitSink& sink);

}  // namespace fbt
