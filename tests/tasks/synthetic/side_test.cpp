#include "tasks/synthetic/side.h"

#include <gtest/gtest.h>

#include <string>

#include "base/error.h"

namespace fbt::synthetic {
namespace {

TEST(Side, HoldsOutOneInEight) {
  int held_out = 0;
  const int all = 80'000;
  for (int i = 0; i < all; ++i) held_out += side_of("bus a=" + std::to_string(i)) == Side::kHeldOut;
  // Four standard deviations of a binomial with p = 1/8.
  EXPECT_NEAR(held_out, all / 8, 375);
}

TEST(Side, HasNames) {
  EXPECT_EQ(parse_side("held-out"), Side::kHeldOut);
  EXPECT_EQ(parse_side("training"), Side::kTraining);
  EXPECT_THROW(parse_side("test"), InputError);
}

}  // namespace
}  // namespace fbt::synthetic
