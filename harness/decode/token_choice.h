#pragma once

// What is asked of the output head, and what it answers.

#include <cstdint>
#include <functional>
#include <vector>

#include <ATen/core/Tensor.h>

namespace fbt {

// How a row's next token is chosen.
struct TokenChoice {
  int forced = -1;         // at least 0: this token
  double temperature = 0;  // 0: the most likely one
  double uniform = 0;      // in [0, 1): where in the distribution, at a temperature above 0
};

// A token whose log-likelihood is wanted after a state.
struct ScoredToken {
  std::int64_t row = 0;  // of the states
  int token = 0;
};

struct ChosenToken {
  int token = 0;
  double log_likelihood = 0;  // under temperature 1
  bool is_argmax = false;
};

// Answers that may still be being computed; a call waits for them. Called once.
using PendingScores = std::function<std::vector<ChosenToken>()>;

// The next step can read `tokens` at once, on the device; the host waits.
struct PendingTokens {
  at::Tensor tokens;  // [R] int64, on the model's device
  PendingScores wait;
};

}  // namespace fbt
