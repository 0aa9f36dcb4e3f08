#include "results/report/collect/samples.h"

#include <algorithm>
#include <map>

#include <gmock/gmock.h>

#include "results/compare/selection.h"
#include "tests/results/simulate.h"
#include "tests/support/paths.h"

namespace fbt::results {
namespace {

using ::testing::ElementsAre;

class SamplesTest : public ::testing::Test {
 protected:
  SamplesTest() { stores_.emplace_back(folder_.path() / "a.sqlite", OpenMode::kWrite); }

  void write(const Plan& plan, int documents) {
    testing::Simulation simulation;
    simulation.documents = documents;
    testing::write_run(stores_.front(), testing::checkpoint("x"), plan, simulation);
  }

  SampleSet collect(int most) const {
    return collect_samples(stores_, select_runs(stores_, {}), most);
  }

  fbt::testing::TemporaryFolder folder_;
  std::vector<Store> stores_;
};

TEST_F(SamplesTest, HoldsEveryCompletionOfEveryMode) {
  write(testing::greedy_plan("standard"), 5);
  write(testing::greedy_plan("fused"), 5);
  const SampleSet set = collect(1000);
  EXPECT_EQ(set.total, 10);
  ASSERT_EQ(set.samples.size(), 10U);
  ASSERT_EQ(set.documents.size(), 5U);
  EXPECT_EQ(set.documents[3].prompt, "Question 3 of gsm8k?\n");
  EXPECT_EQ(set.documents[3].target, "42");
  // A document's modes stand together, standard first.
  EXPECT_EQ(set.samples[6].document, 3U);
  EXPECT_EQ(set.samples[7].document, 3U);
  EXPECT_LT(set.samples[6].run, set.samples[7].run);
  EXPECT_THAT(set.samples[6].text, ::testing::StartsWith("Simulated answer"));
}

TEST_F(SamplesTest, ChoicesAreLinesWithTheirLikelihoods) {
  write(testing::choice_plan(), 2);
  const SampleSet set = collect(10);
  ASSERT_EQ(set.samples.size(), 2U);
  EXPECT_THAT(set.samples[0].text, ::testing::HasSubstr("-1.000 *  choice"));
  EXPECT_EQ(std::count(set.samples[0].text.begin(), set.samples[0].text.end(), '\n'), 4);
}

TEST_F(SamplesTest, KeepsWholeDocumentsAtEqualDistances) {
  write(testing::code_plan("standard"), 20);  // 30 samples a document
  const SampleSet set = collect(150);
  EXPECT_EQ(set.total, 600);
  EXPECT_EQ(set.samples.size(), 150U);
  std::vector<std::int64_t> ids;
  for (const BrowserDocument& document : set.documents) ids.push_back(document.doc_id);
  EXPECT_THAT(ids, ElementsAre(3, 7, 11, 15, 19));
}

TEST_F(SamplesTest, SmallTasksLeaveTheirShareToOthers) {
  write(testing::choice_plan(), 10);
  write(testing::greedy_plan("standard"), 500);
  const SampleSet set = collect(210);
  std::map<std::string, int> by_task;
  for (const BrowserDocument& document : set.documents) ++by_task[document.task];
  EXPECT_EQ(by_task["arc_easy"], 10);
  EXPECT_EQ(by_task["gsm8k"], 200);
}

TEST_F(SamplesTest, NoneAreAskedFor) {
  write(testing::greedy_plan("standard"), 5);
  EXPECT_TRUE(collect(0).samples.empty());
  EXPECT_EQ(collect(0).total, 5);
}

}  // namespace
}  // namespace fbt::results
