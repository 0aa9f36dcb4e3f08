#pragma once

// What a person sees while a run works: one line on standard error, redrawn in
// place on a terminal; elsewhere a plain line now and then.

#include <chrono>
#include <cstdint>
#include <string>

#include "harness/backend/backend.h"

namespace fbt::run {

class Progress {
 public:
  // `total` answers are planned, of which `restored` are in the store already.
  Progress(std::size_t total, std::size_t restored);
  // Ends the line.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // One more answer of `label` ("gsm8k fused") came out of the model. Called on
  // the backend's thread.
  void answered(const std::string& label, const BackendCounters& counters);

 private:
  void show(const std::string& label, const BackendCounters& counters);

  using Clock = std::chrono::steady_clock;
  const bool terminal_;
  const std::size_t total_;
  const std::size_t restored_;
  std::size_t answered_ = 0;
  const Clock::time_point begin_ = Clock::now();
  Clock::time_point shown_;
};

// Share of prompt tokens that never went through the layers because a prefix
// was shared, in [0, 1].
double cached_share(const BackendCounters& counters);

}  // namespace fbt::run
