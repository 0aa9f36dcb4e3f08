#include "harness/run/run_profile.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

namespace fbt::run {
namespace {

constexpr std::string_view kWhole = "whole";

double seconds_of(const RunProfile& profile, std::string_view stage) {
  const auto found = std::find_if(profile.begin(), profile.end(),
                                  [&](const auto& entry) { return entry.first == stage; });
  return found == profile.end() ? 0 : found->second;
}

}  // namespace

RunProfile run_profile(const std::vector<std::pair<std::string, double>>& backend_stages,
                       const RunTimes& times) {
  RunProfile profile;
  double busy = 0;
  for (const std::string_view stage : {"prefill", "decode", "attention", "head", "sampling"}) {
    const double seconds = seconds_of(backend_stages, stage);
    profile.emplace_back(stage, seconds);
    if (stage != "attention") busy += seconds;
  }
  profile.emplace_back("idle", std::max(0.0, times.whole - busy));
  profile.emplace_back("tail", times.tail);
  profile.emplace_back("tokenization", seconds_of(backend_stages, "tokenization"));
  profile.emplace_back("scoring", times.scoring);
  profile.emplace_back("sandbox", times.sandbox);
  profile.emplace_back("database", times.database);
  profile.emplace_back(kWhole, times.whole);
  return profile;
}

std::string profile_text(const RunProfile& profile) {
  const double whole = seconds_of(profile, kWhole);
  std::string text;
  for (const auto& [stage, seconds] : profile) {
    text += fmt::format("{:<13}{:>10.3f} s{:>8.1f} %\n", stage, seconds,
                        whole > 0 ? 100 * seconds / whole : 0.0);
  }
  return text;
}

}  // namespace fbt::run
