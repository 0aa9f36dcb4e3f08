#include "base/json_lines.h"

#include <sstream>

#include <gmock/gmock.h>

#include "base/error.h"

namespace fbt {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

TEST(JsonLines, CountsLinesAndSkipsBlankOnes) {
  std::vector<std::pair<int, std::size_t>> rows;
  for_each_json_line("1\n\n 2\r\n3", "x", [&](nlohmann::json&& value, std::size_t line) {
    rows.emplace_back(value.get<int>(), line);
  });
  EXPECT_THAT(rows, ElementsAre(Pair(1, 1U), Pair(2, 3U), Pair(3, 4U)));
}

TEST(JsonLines, ReadsStreamsAsTheyCome) {
  std::istringstream input("1\n\n 2\r\n3");
  std::vector<std::pair<int, std::size_t>> rows;
  for_each_json_line(input, "x", [&](nlohmann::json&& value, std::size_t line) {
    rows.emplace_back(value.get<int>(), line);
  });
  EXPECT_THAT(rows, ElementsAre(Pair(1, 1U), Pair(2, 3U), Pair(3, 4U)));
}

TEST(JsonLines, NumbersTooLargeAreBadInput) {
  EXPECT_THROW(parse_json("[1e999]", "x"), InputError);
}

TEST(JsonLines, NamesFileAndLine) {
  try {
    for_each_json_line("{}\n{\"a\":}\n", "data.jsonl", [](nlohmann::json&&, std::size_t) {});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("data.jsonl:2 is not valid JSON"));
  }
}

TEST(ParseOrderedJson, KeepsTheOrderOfKeys) {
  std::string keys;
  const auto value = parse_ordered_json(R"({"b": 1, "a": 2, "c": 3})", "x");
  for (const auto& item : value.items()) {
    keys += item.key();
  }
  EXPECT_EQ(keys, "bac");
}

TEST(DumpJson, NeverThrowsForText) {
  EXPECT_EQ(dump_json("a\xff"), "\"a\xEF\xBF\xBD\"");
}

}  // namespace
}  // namespace fbt
