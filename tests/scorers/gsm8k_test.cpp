#include "scorers/gsm8k.h"

#include <gtest/gtest.h>

#include "base/json_lines.h"
#include "tests/support/paths.h"

namespace fbt::scorers {
namespace {

constexpr const char* kGolden = "golden/math/gsm8k_extraction.jsonl";

void expect_golden(Gsm8kFilter filter) {
  const std::string name(gsm8k_filter_name(filter));
  for_each_json_line(testing::shared_dir() / kGolden, [&](nlohmann::json&& row, std::size_t line) {
    SCOPED_TRACE(line);
    const std::string text = row["text"];
    const auto answer = extract_gsm8k(text, filter);
    ASSERT_EQ(answer.has_value(), !row[name].is_null());
    if (answer) {
      EXPECT_EQ(answer->text, row[name].get<std::string>());
      EXPECT_NE(text.find(answer->text, answer->offset), std::string::npos);
    }
    const Score score = score_gsm8k(row["gold"].get<std::string>(), text, filter);
    EXPECT_EQ(score.correct, row[name + "_correct"].get<bool>());
  });
}

TEST(Gsm8k, StrictAsLmEval) {
  FBT_REQUIRE_SHARED(kGolden);
  expect_golden(Gsm8kFilter::kStrict);
}

TEST(Gsm8k, FlexibleAsLmEval) {
  FBT_REQUIRE_SHARED(kGolden);
  expect_golden(Gsm8kFilter::kFlexible);
}

// Hand-worked from the two patterns, for where the golden data is absent.
TEST(Gsm8k, LmEvalFiltersByHand) {
  const Score strict = score_gsm8k("18", "9 * 2 = 18\n#### 18", Gsm8kFilter::kStrict);
  EXPECT_TRUE(strict.correct);
  EXPECT_EQ(strict.extracted, "18");
  EXPECT_EQ(strict.rule, "strict");
  EXPECT_EQ(strict.answer_offset, 11u);
  EXPECT_EQ(score_gsm8k("18", "18", Gsm8kFilter::kStrict).rule, "no_answer");
  EXPECT_TRUE(score_gsm8k("text\n#### 1,234", "It is $1,234.", Gsm8kFilter::kFlexible).correct);
  EXPECT_FALSE(score_gsm8k("29", "It costs $29.00", Gsm8kFilter::kFlexible).correct);
  EXPECT_EQ(score_gsm8k("5", "3-5", Gsm8kFilter::kFlexible).extracted, "-5");
}

TEST(Gsm8k, ChatComparesByValue) {
  struct Case {
    const char* gold;
    const char* completion;
    bool correct;
    const char* rule;
  };
  const Case cases[] = {
      {"29", R"(Thus \boxed{\$29.00}, out of 31)", true, "chat:boxed"},
      {"1234", R"(\boxed{1,234 \text{ pens}})", true, "chat:boxed"},
      {"29", "#### 29.0 dollars, not 30", true, "chat:hashes"},
      {"29", "The answer is **$29**. That leaves 4.", true, "chat:phrase"},
      {"29", "Answer: 29, as 30 - 1 = 29 of 30", true, "chat:phrase"},
      {"29", "She has 30 - 1, which makes 29.", true, "chat:last_number"},
      {"-5", "The answer is -5", true, "chat:phrase"},
      {"5", "The answer is -5", false, "chat:phrase"},
      {"0", "-0", true, "chat:last_number"},
      {"0.5", "it is .50", true, "chat:last_number"},
      {"abc\n#### 1,000", "1000", true, "chat:last_number"},
      {"29", "none", false, "no_answer"},
      {"29", R"(\boxed{x} or 29)", true, "chat:last_number"},
      {"", "29", false, "chat:last_number"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.completion);
    const Score score = score_gsm8k(c.gold, c.completion, Gsm8kFilter::kChat);
    EXPECT_EQ(score.correct, c.correct);
    EXPECT_EQ(score.rule, c.rule);
  }
}

TEST(Gsm8k, AnyBytesAreSafe) {
  const std::string bytes("\xff\xfe#### 7\x00\xc3", 10);
  EXPECT_TRUE(score_gsm8k("7", bytes, Gsm8kFilter::kStrict).correct);
  EXPECT_TRUE(score_gsm8k("7", bytes, Gsm8kFilter::kChat).correct);
}

}  // namespace
}  // namespace fbt::scorers
