#pragma once

// What a person sees while a run works: one line on standard error, redrawn in
// place on a terminal; elsewhere a plain line now and then.

#include <chrono>
#include <cstdint>
#include <string>

#include "harness/backend/backend.h"

namespace fbt::run {

// How far a run is.
struct ProgressState {
  std::string label;         // what the last answer was for: "gsm8k fused"
  std::size_t done = 0;      // answers, those of earlier sessions included
  std::size_t total = 0;     // planned
  std::size_t answered = 0;  // in this session
  double seconds = 0;        // of this session
  BackendCounters counters;
};

// "gsm8k fused  12/100  830 tokens/s  75 % of prompts shared  1 min 2 s left".
// Tokens: computed ones of prompts, and generated ones.
std::string progress_line(const ProgressState& state);

// Share of prompt tokens that never went through the layers because a prefix
// was shared, in [0, 1].
double cached_share(const BackendCounters& counters);

class Progress {
 public:
  // `total` answers are planned, of which `restored` are in the store already.
  Progress(std::size_t total, std::size_t restored);
  // Ends the line.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // One more answer of `label` came out of the model. Called on the backend's
  // thread.
  void answered(const std::string& label, const BackendCounters& counters);

 private:
  using Clock = std::chrono::steady_clock;
  const bool terminal_;
  ProgressState state_;
  const Clock::time_point begin_ = Clock::now();
  Clock::time_point shown_;
};

}  // namespace fbt::run
