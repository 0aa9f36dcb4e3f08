#include "base/random.h"

#include <gmock/gmock.h>

namespace fbt {
namespace {

// Known-answer vectors published with the Random123 library for philox4x32-10.
TEST(Philox, KnownAnswers) {
  using Counter = std::array<std::uint32_t, 4>;
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}),
            (Counter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}),
            (Counter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Counter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(StableHash, IsFnv1a) {
  EXPECT_EQ(stable_hash(""), 0xcbf29ce484222325ULL);
  EXPECT_EQ(stable_hash("a"), 0xaf63dc4c8601ec8cULL);
  EXPECT_EQ(stable_hash("foobar"), 0x85944171f73967e8ULL);
}

TEST(KeyedRandom, IsUniformAndKeyed) {
  const KeyedRandom random(7);
  double sum = 0;
  for (std::uint64_t step = 0; step < 20000; ++step) {
    const double value = random.uniform(step);
    ASSERT_GE(value, 0);
    ASSERT_LT(value, 1);
    sum += value;
  }
  EXPECT_NEAR(sum / 20000, 0.5, 0.01);
  EXPECT_EQ(random.uniform(3), KeyedRandom(7).uniform(3));
  EXPECT_NE(random.uniform(3), KeyedRandom(8).uniform(3));
  EXPECT_NE(random.uniform(3), random.uniform(3, 1));
}

}  // namespace
}  // namespace fbt
