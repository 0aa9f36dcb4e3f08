// What people ask of the file with sqlite3 (docs/results.md).

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/store/database.h"
#include "tests/results/simulate.h"
#include "tests/support/paths.h"

namespace fbt::results {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ViewsTest : public ::testing::Test {
 protected:
  // A run of four documents with one greedy sample each.
  void write(const std::string& checkpoint, const Plan& plan, const std::vector<bool>& right,
             const std::vector<int>& lengths) {
    const RunId run =
        store_.get_or_create_run(store_.get_or_create_checkpoint(testing::checkpoint(checkpoint)),
                                 store_.get_or_create_plan(plan), static_cast<int>(right.size()));
    Batch batch;
    for (std::size_t i = 0; i < right.size(); ++i) {
      const auto doc = static_cast<std::int64_t>(i);
      batch.documents.push_back({doc, "", "p" + std::to_string(i), "t", 5, 0});
      Generation generation;
      generation.doc_id = doc;
      generation.text = checkpoint + std::to_string(i);
      generation.trace_length = lengths[i];
      generation.verdict = right[i] ? Verdict::kRight : Verdict::kWrong;
      batch.generations.push_back(generation);
      batch.scores.push_back({doc, 0, "exact_match", right[i] ? 1.0 : 0.0});
    }
    store_.append(run, batch);
  }

  // Rows as text, columns joined by '|', as sqlite3 prints them.
  std::vector<std::string> rows(const std::string& sql, int columns) {
    const Database database(path_, Database::Access::kReadOnly);
    Statement select(database, sql);
    std::vector<std::string> result;
    while (select.step()) {
      std::string row;
      for (int i = 0; i < columns; ++i) row += (i > 0 ? "|" : "") + select.text(i);
      result.push_back(row);
    }
    return result;
  }

  fbt::testing::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "r.sqlite";
  Store store_{path_, OpenMode::kWrite};
};

TEST_F(ViewsTest, MedianLengthsByTaskAndMode) {
  write("a", testing::greedy_plan(), {true, true, false, false}, {10, 20, 30, 100});
  write("a", testing::greedy_plan("fused"), {true, true, false}, {9, 5, 70});
  EXPECT_THAT(rows("SELECT task, mode, samples, median_trace_length FROM median_lengths "
                   "ORDER BY mode",
                   4),
              ElementsAre("gsm8k|fused|3|9.0", "gsm8k|standard|4|25.0"));
}

TEST_F(ViewsTest, FlippedSamplesBetweenCheckpointsAndModes) {
  write("a", testing::greedy_plan(), {true, true, false, false}, {1, 2, 3, 4});
  write("b", testing::greedy_plan(), {true, false, true, false}, {5, 6, 7, 8});
  write("b", testing::greedy_plan("fused"), {true, false, true, true}, {5, 6, 7, 8});
  EXPECT_THAT(rows("SELECT doc_id, from_verdict, to_verdict, from_text, to_text "
                   "FROM flipped_samples WHERE from_checkpoint = 'a' AND to_checkpoint = 'b' "
                   "ORDER BY doc_id",
                   5),
              ElementsAre("1|right|wrong|a1|b1", "2|wrong|right|a2|b2"));
  EXPECT_THAT(rows("SELECT doc_id, from_value, to_value FROM changed_scores "
                   "WHERE from_mode = 'standard' AND to_mode = 'fused'",
                   3),
              ElementsAre("3|0.0|1.0"));
}

// Verdicts on other prompts are of other questions.
TEST_F(ViewsTest, RunsOfOtherPromptsAreNotPaired) {
  Plan zero_shot = testing::greedy_plan();
  zero_shot.shots = 0;
  zero_shot.prompts_hash = "other";
  write("a", testing::greedy_plan(), {true, true}, {1, 2});
  write("b", zero_shot, {false, false}, {1, 2});
  EXPECT_THAT(rows("SELECT * FROM flipped_samples", 1), IsEmpty());
  EXPECT_THAT(rows("SELECT * FROM changed_scores", 1), IsEmpty());
}

// A second program reads while the first has the file open and writes.
TEST_F(ViewsTest, ReadableWhileBeingWritten) {
  for (const char* mode : {"standard", "soft", "fused"}) {
    write("a", testing::greedy_plan(mode), {true}, {1});
    EXPECT_THAT(rows("SELECT mode FROM scores WHERE mode = '" + std::string(mode) + "'", 1),
                ElementsAre(mode));
  }
  EXPECT_THAT(rows("SELECT documents_done, family, effective_compute FROM run_list LIMIT 1", 3),
              ElementsAre("1|full-bandwidth|200000000000.0"));
}

}  // namespace
}  // namespace fbt::results
