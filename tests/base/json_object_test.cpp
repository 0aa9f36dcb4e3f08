#include "base/json_object.h"

#include <gtest/gtest.h>

#include "base/json_lines.h"
#include "tests/support/errors.h"

namespace fbt {
namespace {

TEST(JsonObject, ReadsWhatIsThere) {
  const auto value = parse_ordered_json(
      R"({"a": "x", "n": 2, "r": 0.5, "b": true, "none": null, "o": [{"k": ["v"]}]})", "f.json");
  JsonObject object(value, "f.json");
  EXPECT_EQ(object.text("a"), "x");
  EXPECT_EQ(object.text("absent", "y"), "y");
  EXPECT_EQ(object.integer("n"), 2);
  EXPECT_EQ(object.number("r"), 0.5);
  EXPECT_EQ(object.number("n"), 2);
  EXPECT_TRUE(object.boolean("b", false));
  EXPECT_FALSE(object.has("none"));
  EXPECT_TRUE(object.is_null("none"));
  EXPECT_FALSE(object.is_null("absent"));
  EXPECT_EQ(object.objects("o").at(0).texts("k"), std::vector<std::string>{"v"});
  object.finish();
}

TEST(JsonObject, ErrorsNameFileAndKey) {
  const auto value = parse_ordered_json(R"({"margn": "x", "o": [{}, {"n": -1}]})", "f.json");
  JsonObject object(value, "f.json");
  const auto message = [](auto&& call) { return testing::error_of(call); };
  EXPECT_EQ(message([&] { object.number("margin"); }), "f.json: key 'margin' is missing");
  EXPECT_EQ(message([&] { object.number("margn"); }), "f.json: key 'margn' must be a number");
  EXPECT_EQ(message([&] { object.objects("o").at(1).integer("n"); }),
            "f.json: 'o' item 2: key 'n' must be a whole number, 0 or more");
  const auto other = parse_ordered_json(R"({"margn": 1})", "f.json");
  JsonObject strict(other, "f.json");
  strict.has("margin");
  EXPECT_EQ(message([&] { strict.finish(); }), "f.json: unknown key 'margn'; did you mean margin?");
  EXPECT_EQ(message([&] { JsonObject(value["margn"], "f.json"); }), "f.json must be a JSON object");
}

}  // namespace
}  // namespace fbt
