#include "scorers/math/equivalence.h"

#include <gtest/gtest.h>

#include "base/json_lines.h"
#include "scorers/math/grade.h"
#include "tests/support/paths.h"

namespace fbt::scorers::math {
namespace {

constexpr const char* kGolden = "golden/math/equivalence.jsonl";

struct Pair {
  std::string gold;
  std::string predicted;
  std::string kind;
  bool equal = false;
  bool debatable = false;
  std::size_t line = 0;
};

std::vector<Pair> golden_pairs() {
  std::vector<Pair> pairs;
  for_each_json_line(testing::shared_dir() / kGolden, [&](nlohmann::json&& row, std::size_t line) {
    pairs.push_back(
        {row["gold"], row["pred"], row["kind"], row["equal"], row.value("debatable", false), line});
  });
  return pairs;
}

// Messages name the line only: the golden answers stay out of logs.
TEST(Equivalence, DecidesEveryGoldenPairThatIsNotDebatable) {
  FBT_REQUIRE_SHARED(kGolden);
  int debatable = 0;
  int followed = 0;
  for (const Pair& pair : golden_pairs()) {
    const bool whole = pair.kind == "boxed_extraction";
    const bool equal = whole ? grade(pair.gold, pair.predicted).correct
                             : equivalent(pair.gold, pair.predicted).equal;
    if (pair.debatable) {
      ++debatable;
      followed += equal == pair.equal ? 1 : 0;
    } else {
      EXPECT_EQ(equal, pair.equal) << kGolden << ':' << pair.line << " (" << pair.kind << ')';
    }
  }
  RecordProperty("debatable", debatable);
  RecordProperty("debatable_followed", followed);
}

TEST(Equivalence, BothWaysRound) {
  FBT_REQUIRE_SHARED(kGolden);
  for (const Pair& pair : golden_pairs()) {
    if (pair.debatable || pair.kind == "boxed_extraction") continue;
    EXPECT_EQ(equivalent(pair.predicted, pair.gold).equal, pair.equal)
        << kGolden << ':' << pair.line << " (" << pair.kind << ')';
  }
}

}  // namespace
}  // namespace fbt::scorers::math
