#include "harness/mechanism/traces.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/results/simulate.h"
#include "tests/support/paths.h"

namespace fbt::mechanism {
namespace {

using ::testing::HasSubstr;

TEST(LengthDistribution, Interpolates) {
  const LengthDistribution d = distribution_of({40, 10, 20, 30, 50});
  EXPECT_EQ(d.mean, 30);
  EXPECT_EQ(d.median, 30);
  EXPECT_EQ(d.quarter, 20);
  EXPECT_DOUBLE_EQ(d.tenth, 14);
  EXPECT_DOUBLE_EQ(d.ninetieth, 46);
  EXPECT_EQ(d.longest, 50);
  EXPECT_EQ(distribution_of({7}).ninetieth, 7);
}

class TracesTest : public ::testing::Test {
 protected:
  // Twice as long in fused mode; "tuned" takes half as long as "base".
  TracesTest() {
    results::Store store(folder_.path() / "r.sqlite", results::OpenMode::kWrite);
    for (const char* name : {"base", "tuned"}) {
      for (const char* mode : {"standard", "fused"}) {
        const double length = (name[0] == 'b' ? 100 : 50) * (mode[0] == 'f' ? 2 : 1);
        results::testing::write_run(
            store, results::testing::checkpoint(name), results::testing::greedy_plan(mode),
            {.documents = 80,
             .right = [](int document, double) { return document % 2 == 0 ? 1.0 : 0.0; },
             .trace_length = length,
             .subject = [](int) { return std::string(); }});
      }
    }
    results::testing::write_run(store, results::testing::checkpoint("base"),
                                results::testing::choice_plan(), {});
    for (const results::RunRecord& run : store.runs()) runs_.push_back(load_run(store, run));
  }

  fbt::testing::TemporaryFolder folder_;
  std::vector<results::RunData> runs_;
};

TEST_F(TracesTest, SplitsRightAndWrong) {
  const TraceResult result = trace_lengths(runs_, {});
  ASSERT_EQ(result.rows.size(), 4U * 3);  // multiple choice has no traces
  for (const TraceRow& row : result.rows) {
    EXPECT_EQ(row.samples, row.answers == "all" ? 80 : 40);
    EXPECT_NEAR(row.reasoning.mean, row.trace.mean - 3, 1e-9);
    EXPECT_FALSE(row.temperature);
  }
  EXPECT_NEAR(result.rows[0].trace.mean, 100, 25);  // base in standard mode comes first
}

TEST_F(TracesTest, PairsModesOfACheckpoint) {
  const TraceResult result = trace_lengths(runs_, {});
  ASSERT_EQ(result.modes.size(), 2U * 3);
  EXPECT_TRUE(result.checkpoints.empty());
  for (const TraceChange& change : result.modes) {
    EXPECT_EQ(change.from, "standard");
    EXPECT_EQ(change.to, "fused");
    EXPECT_EQ(change.documents, change.answers == "all" ? 80 : 40);
    ASSERT_TRUE(change.trace);
    EXPECT_NEAR(change.trace->change, 1.0, 0.2);
    EXPECT_LE(change.trace->interval.low, 1.0);
    EXPECT_LT(change.trace->p, 0.01);
    EXPECT_GT(change.reasoning->change, change.trace->change);  // three tokens less each
  }
}

TEST_F(TracesTest, PairsCheckpoints) {
  const TraceResult result =
      trace_lengths(runs_, {.temperature = {},
                            .before = results::testing::checkpoint("base").content_hash,
                            .after = results::testing::checkpoint("tuned").content_hash});
  ASSERT_EQ(result.checkpoints.size(), 2U * 3);
  for (const TraceChange& change : result.checkpoints) {
    EXPECT_EQ(change.from, "base");
    EXPECT_EQ(change.to, "tuned");
    EXPECT_NEAR(change.trace->change, -0.5, 0.1);
  }
  const auto tables = trace_tables(result);
  ASSERT_EQ(tables.size(), 3U);
  EXPECT_THAT(render(tables[2], results::TableFormat::kMarkdown), HasSubstr("wrong in both"));
  EXPECT_EQ(trace_json(result).at("checkpoint_changes").size(), 6U);
}

}  // namespace
}  // namespace fbt::mechanism
