#include "harness/run/run_profile.h"

#include <gmock/gmock.h>

namespace fbt::run {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

// 10 s: 4 + 2 + 1 + 0.5 of the model's own, attention within the first two.
TEST(RunProfile, IdleIsWhatTheModelDidNotUse) {
  const RunProfile profile =
      run_profile({{"tokenization", 3},
                   {"prefill", 4},
                   {"decode", 2},
                   {"attention", 1.5},
                   {"head", 1},
                   {"sampling", 0.5}},
                  {.whole = 10, .tail = 0.25, .scoring = 6, .sandbox = 12, .database = 2});
  EXPECT_THAT(profile, ElementsAre(Pair("prefill", 4), Pair("decode", 2), Pair("attention", 1.5),
                                   Pair("head", 1), Pair("sampling", 0.5), Pair("idle", 2.5),
                                   Pair("tail", 0.25), Pair("tokenization", 3), Pair("scoring", 6),
                                   Pair("sandbox", 12), Pair("database", 2), Pair("whole", 10)));
  EXPECT_THAT(profile_text(profile), HasSubstr("idle              2.500 s    25.0 %\n"));
}

TEST(RunProfile, ABackendWithoutStagesIsAllIdle) {
  const RunProfile profile = run_profile({}, {.whole = 1});
  EXPECT_EQ(profile[5], (std::pair<std::string, double>("idle", 1)));
  EXPECT_THAT(profile_text(run_profile({}, {})), HasSubstr("whole"));
}

}  // namespace
}  // namespace fbt::run
