#include "harness/run/options.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace fbt::run {
namespace {

TEST(ParseShard, TakesIOfN) {
  const Shard shard = parse_shard("2/3");
  EXPECT_FALSE(shard.holds(0));
  EXPECT_TRUE(shard.holds(1));
  EXPECT_TRUE(shard.holds(4));
  for (const char* wrong : {"", "1", "0/2", "3/2", "1/0", "a/b", "1/2x", "-1/2", "1/2/3"}) {
    EXPECT_THROW(parse_shard(wrong), InputError) << wrong;
  }
}

}  // namespace
}  // namespace fbt::run
