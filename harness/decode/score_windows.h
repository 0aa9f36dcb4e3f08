#pragma once

// A long call in parts: while the model computes one, the next is tokenized.

#include <span>
#include <vector>

#include "harness/backend/backend.h"

namespace fbt {

// Consecutive parts of `requests`: a short one first, since the model waits for
// it, then longer ones. Requests with the same context stay together.
std::vector<std::span<const ScoreRequest>> score_windows(std::span<const ScoreRequest> requests);

}  // namespace fbt
