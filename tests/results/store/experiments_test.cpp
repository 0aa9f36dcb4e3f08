#include "results/store/experiments.h"

#include <gmock/gmock.h>

#include "tests/results/simulate.h"
#include "tests/support/paths.h"

namespace fbt::results {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

class ExperimentsTest : public ::testing::Test {
 protected:
  std::filesystem::path file(const char* name) const { return folder_.path() / name; }
  fbt::testing::TemporaryFolder folder_;
};

TEST_F(ExperimentsTest, AreFoundAgainByCheckpointKindAndSettings) {
  ExperimentId first = 0;
  {
    ExperimentStore store(file("a"), OpenMode::kWrite);
    first = store.get_or_create(testing::checkpoint("x"), "probe", "{}", 3);
    store.append(first, "one", "1");
    EXPECT_NE(store.get_or_create(testing::checkpoint("x"), "probe", "{\"seed\":2}", 3), first);
    EXPECT_NE(store.get_or_create(testing::checkpoint("y"), "probe", "{}", 3), first);
    EXPECT_NE(store.get_or_create(testing::checkpoint("x"), "stability", "{}", 3), first);
  }
  ExperimentStore store(file("a"), OpenMode::kWrite);
  EXPECT_EQ(store.get_or_create(testing::checkpoint("x"), "probe", "{}", 2), first);
  store.append(first, "one", "changed");
  store.append(first, "two", "2");
  EXPECT_THAT(store.items(first), ElementsAre(Pair("one", "1"), Pair("two", "2")));

  const ExperimentStore reader(file("a"), OpenMode::kRead);
  ASSERT_EQ(reader.experiments().size(), 4U);
  const ExperimentRecord record = reader.experiments()[0];
  EXPECT_EQ(record.checkpoint.name, "x");
  EXPECT_EQ(record.items_planned, 2);
  EXPECT_EQ(record.items_done, 2);
  EXPECT_TRUE(record.complete());
}

TEST_F(ExperimentsTest, FreshStartsOver) {
  ExperimentStore store(file("a"), OpenMode::kWrite);
  const ExperimentId id = store.get_or_create(testing::checkpoint("x"), "probe", "{}", 1);
  store.append(id, "one", "1");
  EXPECT_EQ(store.get_or_create(testing::checkpoint("x"), "probe", "{}", 1, true), id);
  EXPECT_TRUE(store.items(id).empty());
}

}  // namespace
}  // namespace fbt::results
