#include <gtest/gtest.h>

#include "scorers/math/extract.h"

namespace fbt::scorers::math {
namespace {

struct Case {
  const char* text;
  const char* content;  // nullptr: no box
  std::size_t offset;
};

TEST(LastBox, FollowsTheTable) {
  const Case cases[] = {
      {R"(so \boxed{5}.)", "5", 3},
      {R"(\fbox{\frac{1}{2}})", R"(\frac{1}{2})", 0},
      {R"(\boxed{1} then \boxed{2})", "2", 15},
      {R"(\boxed{\left\{1,2\right\}})", R"(\left\{1,2\right\})", 0},
      {R"(\boxed {7})", "7", 0},
      {R"($\boxed 12$)", "12", 1},
      {R"(\boxed{1} and an open \boxed{2)", "1", 0},
      {R"(\boxed{})", "", 0},
      {R"(\boxedx{3})", nullptr, 0},
      {R"(\boxed)", nullptr, 0},
      {"", nullptr, 0},
      {"5", nullptr, 0},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    const auto box = last_box(c.text);
    ASSERT_EQ(box.has_value(), c.content != nullptr);
    if (!box) continue;
    EXPECT_EQ(box->content, c.content);
    EXPECT_EQ(box->offset, c.offset);
  }
}

TEST(LastBox, LinearInManyUnclosedBoxes) {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += "\\boxed{";
  EXPECT_FALSE(last_box(text).has_value());
}

}  // namespace
}  // namespace fbt::scorers::math
