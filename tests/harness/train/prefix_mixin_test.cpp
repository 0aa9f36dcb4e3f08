#include "harness/train/prefix_mixin.h"

#include <gtest/gtest.h>

namespace fbt::train {
namespace {

TEST(PrefixMixin, IsUniformOnItsShareOfTheRows) {
  const std::int64_t rows = 60'000, length = 7;
  std::vector<int> counts(static_cast<std::size_t>(length), 0);
  for (const std::int64_t prefix : draw_plain_prefixes(rows, length, 0.6, 42)) {
    ASSERT_GE(prefix, 0);
    ASSERT_LT(prefix, length);
    ++counts[static_cast<std::size_t>(prefix)];
  }
  EXPECT_NEAR(counts[0], 0.4 * rows, 480);  // four standard deviations
  // chi-squared over lengths 1 … 6; 20.5 is its 0.999 quantile at five degrees of freedom.
  const double expected = 0.1 * rows;
  double chi_squared = 0;
  for (std::size_t i = 1; i < counts.size(); ++i) {
    chi_squared += (counts[i] - expected) * (counts[i] - expected) / expected;
  }
  EXPECT_LT(chi_squared, 20.5);
}

TEST(PrefixMixin, ShareZeroAndOne) {
  for (const std::int64_t prefix : draw_plain_prefixes(100, 9, 0, 1)) EXPECT_EQ(prefix, 0);
  for (const std::int64_t prefix : draw_plain_prefixes(100, 9, 1, 1)) EXPECT_GT(prefix, 0);
}

TEST(PrefixMixin, IsNamedByItsKey) {
  EXPECT_EQ(draw_plain_prefixes(50, 100, 0.5, 3), draw_plain_prefixes(50, 100, 0.5, 3));
  EXPECT_NE(draw_plain_prefixes(50, 100, 0.5, 3), draw_plain_prefixes(50, 100, 0.5, 4));
}

}  // namespace
}  // namespace fbt::train
