#include "harness/mechanism/matched_budget.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/results/simulate.h"
#include "tests/support/paths.h"

namespace fbt::mechanism {
namespace {

using ::testing::HasSubstr;

TEST(MatchedBudget, PairsTWithTwoT) {
  fbt::testing::TemporaryFolder folder;
  results::Store store(folder.path() / "r.sqlite", results::OpenMode::kWrite);
  const auto write = [&](const char* name, double tokens, const char* family, const char* mode,
                         double right) {
    results::testing::write_run(
        store, results::testing::checkpoint(name, tokens, family),
        results::testing::choice_plan("arc_easy", mode),
        {.documents = 200, .right = [right](int, double) { return right; }});
  };
  write("fbt-200", 200e9, "full-bandwidth", "fused", 0.9);
  write("fbt-200", 200e9, "full-bandwidth", "standard", 0.5);
  write("std-400", 400e9, "standard", "standard", 0.5);
  write("std-1000", 1e12, "standard", "standard", 0.5);
  write("std-200", 200e9, "standard", "standard", 0.5);
  std::vector<results::RunData> runs;
  for (const results::RunRecord& run : store.runs()) runs.push_back(load_run(store, run));

  const std::vector<MatchedPair> pairs = matched_budget(runs);
  ASSERT_EQ(pairs.size(), 2U);
  for (const MatchedPair& pair : pairs) {
    EXPECT_EQ(pair.standard, "std-400");
    EXPECT_EQ(pair.full_bandwidth, "fbt-200");
    EXPECT_NEAR(pair.comparison.difference, pair.full_bandwidth_score - pair.standard_score, 1e-12);
    EXPECT_EQ(pair.comparison.p < 0.001, pair.mode == "fused");
  }
  const std::string table = render(matched_budget_table(pairs), results::TableFormat::kMarkdown);
  EXPECT_THAT(table, HasSubstr("400B"));
  EXPECT_EQ(matched_budget_json(pairs).size(), 2U);
}

}  // namespace
}  // namespace fbt::mechanism
