#pragma once

// Where the engine's time goes.

#include <array>
#include <chrono>
#include <cstddef>
#include <string_view>

namespace fbt {

// Prefill and decode are the layers' whole time; attention is part of both.
enum class EngineStage { kTokenize, kPrefill, kDecode, kAttention, kHead, kSample };

inline constexpr std::array<std::string_view, 6> kEngineStageNames = {
    "tokenization", "prefill", "decode", "attention", "head", "sampling"};

// Seconds by stage. One thread writes.
class Profile {
 public:
  // Adds the time until it goes to a stage.
  class Timer {
   public:
    Timer(Profile& profile, EngineStage stage)
        : profile_(profile), stage_(stage), start_(Clock::now()) {}
    ~Timer() {
      profile_.seconds_[static_cast<std::size_t>(stage_)] +=
          std::chrono::duration<double>(Clock::now() - start_).count();
    }
    Timer(const Timer&) = delete;
    Timer& operator=(const Timer&) = delete;

   private:
    using Clock = std::chrono::steady_clock;
    Profile& profile_;
    EngineStage stage_;
    Clock::time_point start_;
  };

  // Adds time that was measured elsewhere.
  void add(EngineStage stage, double seconds) {
    seconds_[static_cast<std::size_t>(stage)] += seconds;
  }
  double seconds(EngineStage stage) const { return seconds_[static_cast<std::size_t>(stage)]; }

 private:
  std::array<double, kEngineStageNames.size()> seconds_{};
};

}  // namespace fbt
