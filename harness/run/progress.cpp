#include "harness/run/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

namespace fbt::run {
namespace {

constexpr std::chrono::milliseconds kRedraw{200};
constexpr std::chrono::seconds kPlainLine{60};

std::string duration(double seconds) {
  const auto whole = static_cast<long long>(seconds);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
}

}  // namespace

double cached_share(const BackendCounters& counters) {
  if (counters.prompt_tokens_asked == 0) return 0;
  return 1 - static_cast<double>(counters.prompt_tokens_computed) /
                 static_cast<double>(counters.prompt_tokens_asked);
}

std::string progress_line(const ProgressState& state) {
  const BackendCounters& counters = state.counters;
  const double tokens =
      static_cast<double>(counters.prompt_tokens_computed + counters.generated_tokens);
  const double rate = state.seconds > 0 ? tokens / state.seconds : 0;
  std::string line =
      fmt::format("{}  {}/{}  {:.0f} tokens/s  {:.0f} % of prompts shared", state.label, state.done,
                  state.total, rate, 100 * cached_share(counters));
  if (state.answered > 0) {
    const auto missing = static_cast<double>(state.total - std::min(state.done, state.total));
    const double left = state.seconds / static_cast<double>(state.answered) * missing;
    line += fmt::format("  {} left", duration(left));
  }
  return line;
}

Progress::Progress(std::size_t total, std::size_t restored)
    : terminal_(isatty(STDERR_FILENO) == 1), shown_(begin_) {
  state_.total = total;
  state_.done = restored;
}

Progress::~Progress() {
  if (terminal_ && state_.answered > 0) std::fputs("\r\x1b[K", stderr);
}

void Progress::answered(const std::string& label, const BackendCounters& counters) {
  ++state_.answered;
  ++state_.done;
  const auto now = Clock::now();
  if (now - shown_ < (terminal_ ? Clock::duration(kRedraw) : Clock::duration(kPlainLine))) return;
  shown_ = now;
  state_.label = label;
  state_.counters = counters;
  state_.seconds = std::chrono::duration<double>(now - begin_).count();
  const std::string line = progress_line(state_);
  std::fputs((terminal_ ? "\r\x1b[K" + line : line + "\n").c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace fbt::run
