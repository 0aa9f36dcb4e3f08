#include "tasks/synthetic/state_tracking.h"

#include <gtest/gtest.h>
#include <re2/re2.h>

#include <map>
#include <string>

namespace fbt::synthetic {
namespace {

// Reads "Counter: 5. Add 3. … The counter is 8." and counts again.
bool counter_is_right(const std::string& text) {
  int count = 0;
  if (!re2::RE2::PartialMatch(text, R"(Counter: (\d+)\.)", &count)) return false;
  re2::StringPiece rest(text);
  std::string way;
  for (int by = 0; re2::RE2::FindAndConsume(&rest, R"((Add|Take) (\d+)\.)", &way, &by);) {
    count += way == "Add" ? by : -by;
    if (count < 0) return false;
  }
  return text.find("The counter is " + std::to_string(count) + ".") != std::string::npos;
}

// What a pattern with two groups, a name and its value, finds in the text; of
// equal names the last.
struct Pairs {
  std::map<std::string, std::string> values;
  std::size_t found = 0;
};

Pairs pairs_in(const std::string& text, const char* pattern) {
  Pairs pairs;
  re2::StringPiece rest(text);
  for (std::string name, value; re2::RE2::FindAndConsume(&rest, pattern, &name, &value);
       ++pairs.found) {
    pairs.values[name] = value;
  }
  return pairs;
}

TEST(StateTracking, CountersAddUp) {
  EXPECT_TRUE(counter_is_right("Counter: 5. Add 3. Take 2. The counter is 6."));
  EXPECT_FALSE(counter_is_right("Counter: 5. Add 3. Take 2. The counter is 7."));
  Draw draw(1);
  for (int i = 0; i < 500; ++i) {
    const std::string text = draw_counter(draw);
    EXPECT_TRUE(counter_is_right(text)) << text;
  }
}

TEST(StateTracking, RegistersHoldTheLastWrite) {
  Draw draw(2);
  int overwrites = 0;
  for (int i = 0; i < 500; ++i) {
    const std::string text = draw_registers(draw);
    const Pairs writes = pairs_in(text, R"(([a-d]) = (\d+))");
    overwrites += writes.found > writes.values.size();
    EXPECT_EQ(pairs_in(text, R"(([a-d]) is (\d+))").values, writes.values) << text;
  }
  EXPECT_GT(overwrites, 250);
}

TEST(StateTracking, RecallRepeatsWhatWasTold) {
  Draw draw(3);
  for (int i = 0; i < 500; ++i) {
    const std::string text = draw_recall(draw);
    const std::size_t split = text.find("Recall");
    ASSERT_NE(split, std::string::npos);
    const std::string told = text.substr(0, text.find('.')), recalled = text.substr(split);
    const char* fact = R"(([a-z]+):? (\d+))";
    const auto before = pairs_in(told, fact).values;
    EXPECT_EQ(before, pairs_in(recalled, fact).values) << text;
    EXPECT_GE(before.size(), 2u);
    EXPECT_TRUE(counter_is_right(text)) << text;
  }
}

}  // namespace
}  // namespace fbt::synthetic
