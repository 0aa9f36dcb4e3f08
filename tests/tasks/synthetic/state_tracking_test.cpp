#include "tasks/synthetic/state_tracking.h"

#include <gtest/gtest.h>

#include <map>
#include <regex>

namespace fbt::synthetic {
namespace {

// Reads "Counter: 5. Add 3. … The counter is 8." and counts again.
bool counter_is_right(const std::string& text) {
  std::smatch start;
  if (!std::regex_search(text, start, std::regex(R"(Counter: (\d+)\.)"))) return false;
  int count = std::stoi(start[1]);
  const std::regex move(R"((Add|Take) (\d+)\.)");
  for (std::sregex_iterator at(text.begin(), text.end(), move), end; at != end; ++at) {
    count += (*at)[1] == "Add" ? std::stoi((*at)[2]) : -std::stoi((*at)[2]);
    if (count < 0) return false;
  }
  return text.find("The counter is " + std::to_string(count) + ".") != std::string::npos;
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
    std::map<std::string, std::string> registers;
    const std::regex write(R"(([a-d]) = (\d+))"), read(R"(([a-d]) is (\d+))");
    int writes = 0;
    for (std::sregex_iterator at(text.begin(), text.end(), write), end; at != end; ++at, ++writes) {
      registers[(*at)[1]] = (*at)[2];
    }
    overwrites += writes > static_cast<int>(registers.size());
    std::map<std::string, std::string> told;
    for (std::sregex_iterator at(text.begin(), text.end(), read), end; at != end; ++at) {
      told[(*at)[1]] = (*at)[2];
    }
    EXPECT_EQ(told, registers) << text;
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
    const std::regex fact(R"(([a-z]+):? (\d+))");
    std::map<std::string, std::string> before, after;
    for (std::sregex_iterator at(told.begin(), told.end(), fact), end; at != end; ++at) {
      before[(*at)[1]] = (*at)[2];
    }
    for (std::sregex_iterator at(recalled.begin(), recalled.end(), fact), end; at != end; ++at) {
      after[(*at)[1]] = (*at)[2];
    }
    EXPECT_EQ(before, after) << text;
    EXPECT_GE(before.size(), 2u);
    EXPECT_TRUE(counter_is_right(text)) << text;
  }
}

}  // namespace
}  // namespace fbt::synthetic
