// Progressions with an ellipsis against the same ones written out.

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "scorers/math/equivalence.h"

namespace fbt::scorers::math {
namespace {

std::string in_brackets(long value) {
  return value < 0 ? "(" + std::to_string(value) + ")" : std::to_string(value);
}

std::string joined(const std::vector<long>& values, const std::string& by) {
  std::string text;
  for (const long value : values) text += (text.empty() ? "" : by) + in_brackets(value);
  return text;
}

// The first `shown` values, dots, and the last value.
std::string shortened(const std::vector<long>& values, std::size_t shown, const std::string& by) {
  const std::vector<long> head(values.begin(), values.begin() + static_cast<long>(shown));
  return joined(head, by) + by + "\\cdots" + by + in_brackets(values.back());
}

void expect_read(const std::vector<long>& values) {
  std::vector<long> other = values;
  ++other.back();
  for (const char* by : {" + ", " \\cdot ", ", "}) {
    const std::string text = shortened(values, 3, by);
    SCOPED_TRACE(text);
    EXPECT_TRUE(equivalent(text, joined(values, by)).equal);
    EXPECT_TRUE(equivalent(joined(values, by), text).equal);
    const bool vanishes =
        by == std::string(" \\cdot ") && std::count(values.begin(), values.end() - 1, 0) > 0;
    EXPECT_EQ(equivalent(text, joined(other, by)).equal, vanishes);
  }
}

TEST(Ellipsis, StandsForTheMissingTermsOfAnArithmeticProgression) {
  for (const long first : {-7, -2, 0, 1, 5}) {
    for (const long step : {-3, 1, 2, 10}) {
      for (const long count : {4, 5, 9, 30}) {
        std::vector<long> values;
        for (long i = 0; i < count; ++i) values.push_back(first + i * step);
        expect_read(values);
      }
    }
  }
}

TEST(Ellipsis, StandsForTheMissingTermsOfAGeometricProgression) {
  for (const long first : {-7, 1, 3}) {
    for (const long ratio : {-3, 2, 10}) {
      std::vector<long> values = {first};
      while (values.size() < 8) values.push_back(values.back() * ratio);
      expect_read(values);
    }
  }
}

TEST(Ellipsis, IsUndecidedWhereItsTermsHaveNoPlainRule) {
  const std::pair<const char*, const char*> cases[] = {
      {"1+3+\\cdots+100", "2500"},             // 100 is no odd number
      {"2+4+\\cdots+64", "126"},               // doubled, or two more each time
      {"1+4+9+\\cdots+100", "385"},            // squares: not read
      {"1+2+3+\\cdots", "-\\frac{1}{12}"},     // no end
      {"a_1+a_2+\\cdots+a_n", "n"},            // nothing known of the terms
      {"\\{2,1,3,\\ldots\\}", "\\{1,2,3\\}"},  // no last member
      {"\\{1,2,3,\\ldots\\}", "\\{2,1,3,\\ldots\\}"},
  };
  for (const auto& [gold, predicted] : cases) {
    SCOPED_TRACE(gold);
    EXPECT_EQ(equivalent(gold, predicted).rule, "undecided");
    EXPECT_EQ(equivalent(predicted, gold).rule, "undecided");
  }
}

}  // namespace
}  // namespace fbt::scorers::math
