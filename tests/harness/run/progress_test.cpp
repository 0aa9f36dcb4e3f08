#include "harness/run/progress.h"

#include <gtest/gtest.h>

namespace fbt::run {
namespace {

BackendCounters counters(std::uint64_t asked, std::uint64_t computed, std::uint64_t generated) {
  return {.prompt_tokens_asked = asked,
          .prompt_tokens_computed = computed,
          .generated_tokens = generated};
}

TEST(Progress, SaysRateShareAndTimeLeft) {
  const struct {
    ProgressState state;
    const char* line;
  } cases[] = {
      // 250 + 750 tokens in 10 s; 5 answers took 10 s, 85 are missing.
      {{"gsm8k fused", 15, 100, 5, 10, counters(1000, 250, 750)},
       "gsm8k fused  15/100  100 tokens/s  75 % of prompts shared  2 min 50 s left"},
      {{"piqa soft", 100, 100, 50, 3600, counters(0, 0, 0)},
       "piqa soft  100/100  0 tokens/s  0 % of prompts shared  0 s left"},
      {{"mbpp standard", 1, 10001, 1, 1, counters(10, 10, 0)},
       "mbpp standard  1/10001  10 tokens/s  0 % of prompts shared  2 h 46 min left"},
      // Nothing answered yet: no guess.
      {{"", 7, 9, 0, 0, counters(0, 0, 0)}, "  7/9  0 tokens/s  0 % of prompts shared"},
  };
  for (const auto& one : cases) EXPECT_EQ(progress_line(one.state), one.line);
}

}  // namespace
}  // namespace fbt::run
