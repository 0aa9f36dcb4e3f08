#pragma once

// Where a run's time went.

#include <string>
#include <utility>
#include <vector>

#include "harness/backend/backend.h"

namespace fbt::run {

// Seconds by stage. On the model's thread: prefill, decode, head, sampling and
// idle, which add up to the whole; attention is part of prefill and decode. Beside
// it: tokenization, scoring, sandbox (of the programs, side by side), database.
// "tail": after the model's last answer until everything was stored, part of idle.
using RunProfile = std::vector<std::pair<std::string, double>>;

// What was measured beside the backend's own stages.
struct RunTimes {
  double whole = 0;  // from the first request to the last row stored
  double tail = 0;
  double scoring = 0;
  double sandbox = 0;
  double database = 0;
};

RunProfile run_profile(const std::vector<std::pair<std::string, double>>& backend_stages,
                       const RunTimes& times);

// Lines for people: stage, seconds, share of the whole.
std::string profile_text(const RunProfile& profile);

}  // namespace fbt::run
