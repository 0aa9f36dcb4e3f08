#pragma once

// A long call in parts: while the model computes one, the next is tokenized.

#include <span>
#include <vector>

#include "harness/backend/backend.h"

namespace fbt {

// Consecutive parts of `requests`: a short one first, since the model waits for
// it, then longer ones. Requests with the same context or prompt stay together.
std::vector<std::span<const ScoreRequest>> request_windows(std::span<const ScoreRequest> requests);
std::vector<std::span<const GenerateRequest>> request_windows(
    std::span<const GenerateRequest> requests);

}  // namespace fbt
