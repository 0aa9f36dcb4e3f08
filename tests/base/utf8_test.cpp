#include "base/utf8.h"

#include <gtest/gtest.h>

namespace fbt {
namespace {

TEST(Utf8, CountsCodePoints) {
  EXPECT_EQ(count_code_points("aé€😀"), 4U);
  EXPECT_EQ(count_code_points("\xff\xfe"), 2U);
  EXPECT_EQ(count_code_points("\xe2\x82"), 2U);
}

TEST(Utf8, RoundTripsEveryScalarValue) {
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    std::string text;
    append_utf8(text, c);
    std::size_t offset = 0;
    ASSERT_EQ(next_code_point(text, offset), c);
    ASSERT_EQ(offset, text.size());
  }
}

TEST(Utf8, RefusesOverlongSurrogatesAndTooLarge) {
  for (const char* bad : {"\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe0\x80\x80", "\x80"}) {
    EXPECT_FALSE(is_valid_utf8(bad));
    EXPECT_TRUE(is_valid_utf8(replace_invalid_utf8(bad)));
  }
}

TEST(Utf8, CompletePrefixWaitsOnlyForWhatCanCome) {
  struct Case {
    std::string text;
    std::size_t complete;
  };
  const Case cases[] = {{"", 0},
                        {"a", 1},
                        {"a\xc3", 1},
                        {"a\xe2\x82", 1},
                        {"a\xf0\x9f\x98", 1},
                        {"a\xf0", 1},
                        {"\xe2\x82\xac", 3},
                        {"a\xff", 2},
                        {"a\x80\x80", 3},
                        {"a\xe0\x80", 3},
                        {"\x80\x80\x80\x80", 4}};
  for (const Case& c : cases) EXPECT_EQ(complete_utf8_prefix(c.text), c.complete) << c.text;
}

}  // namespace
}  // namespace fbt
