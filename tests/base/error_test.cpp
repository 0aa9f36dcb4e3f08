#include "base/error.h"

#include <gmock/gmock.h>

namespace fbt {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(NearestNames, OrdersByEditDistance) {
  EXPECT_THAT(nearest_names("gms8k", {"mbpp", "gsm8k", "mmlu"}), ElementsAre("gsm8k"));
  EXPECT_THAT(nearest_names("arc_eazy", {"arc_challenge", "arc_easy"}), ElementsAre("arc_easy"));
  EXPECT_THAT(nearest_names("zebra", {"gsm8k", "mbpp"}), IsEmpty());
}

TEST(UnknownNameMessage, ListsAllWhereNoneIsNear) {
  EXPECT_THAT(unknown_name_message("task", "gms8k", {"gsm8k"}), HasSubstr("did you mean gsm8k?"));
  EXPECT_THAT(unknown_name_message("mode", "zebra", {"soft", "fused"}), HasSubstr("soft, fused"));
}

}  // namespace
}  // namespace fbt
