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

Progress::Progress(std::size_t total, std::size_t restored)
    : terminal_(isatty(STDERR_FILENO) == 1), total_(total), restored_(restored), shown_(begin_) {}

Progress::~Progress() {
  if (terminal_ && answered_ > 0) std::fputs("\r\x1b[K", stderr);
}

void Progress::answered(const std::string& label, const BackendCounters& counters) {
  ++answered_;
  const auto now = Clock::now();
  if (now - shown_ < (terminal_ ? Clock::duration(kRedraw) : Clock::duration(kPlainLine))) return;
  shown_ = now;
  show(label, counters);
}

void Progress::show(const std::string& label, const BackendCounters& counters) {
  const double seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
  const std::size_t done = restored_ + answered_;
  const double tokens =
      static_cast<double>(counters.prompt_tokens_computed + counters.generated_tokens);
  const double left = seconds / static_cast<double>(answered_) *
                      static_cast<double>(total_ - std::min(done, total_));
  std::fputs(fmt::format("{}{}  {}/{}  {:.0f} tokens/s  {:.0f} % of prompts shared  {} left{}",
                         terminal_ ? "\r\x1b[K" : "", label, done, total_, tokens / seconds,
                         100 * cached_share(counters), duration(left), terminal_ ? "" : "\n")
                 .c_str(),
             stderr);
  std::fflush(stderr);
}

}  // namespace fbt::run
