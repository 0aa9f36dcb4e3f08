#include "results/store/schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "results/store/database.h"
#include "tests/results/simulate.h"
#include "tests/support/paths.h"

namespace fbt::results {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class SchemaTest : public ::testing::Test {
 protected:
  fbt::testing::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "results.sqlite";
};

// A file of every older version, with a run in it, comes forward and keeps it.
TEST_F(SchemaTest, OlderVersionsComeForward) {
  for (const OpenMode mode : {OpenMode::kRead, OpenMode::kWrite}) {
    for (int version = 1; version < schema_version(); ++version) {
      std::filesystem::remove(path_);
      {
        Database database(path_, Database::Access::kCreate);
        migrate_to(database, path_.c_str(), version);
        database.execute("INSERT INTO checkpoints VALUES (1, 'h', 'old', 1e9, 1, '', '', '')");
        Plan plan = testing::greedy_plan();
        Statement insert(database,
                         "INSERT INTO plans VALUES (1, 'h', 'gsm8k', 'standard', 'standard', "
                         "'exact_match', ?1)");
        const std::string settings = plan_to_json(plan);
        insert.bind(1, settings).run();
        database.execute("INSERT INTO runs VALUES (1, 1, 1, 10, '2026-01-01T00:00:00Z')");
        const std::string with_key = version >= 4 ? ", key" : "";
        for (const char* key : {"one", "two"}) {
          database.execute(
              "INSERT INTO sessions (run, program_version, libtorch_version, device, threads, "
              "sandbox_tier, status, started_at, counters" +
              with_key + ") VALUES (1, '0.1.0', '1.13', 'cpu', 2, '', 'finished', 'now', '{}'" +
              (with_key.empty() ? "" : std::string(", '") + key + "'") + ")");
        }
      }
      const Store store(path_, mode);
      ASSERT_EQ(store.runs().size(), 1u);
      EXPECT_EQ(store.sessions(1).size(), 2u);
      EXPECT_EQ(store.runs()[0].checkpoint.name, "old");
      EXPECT_EQ(Database(path_, Database::Access::kReadOnly).query_int("PRAGMA user_version"),
                schema_version());
    }
  }
}

TEST_F(SchemaTest, NewerVersionIsRefusedAndNotWrittenTo) {
  { Store(path_, OpenMode::kWrite); }
  {
    Database database(path_, Database::Access::kReadWrite);
    database.execute("PRAGMA user_version = 99");
  }
  const std::string before = read_file(path_);
  for (const OpenMode mode : {OpenMode::kRead, OpenMode::kWrite}) {
    EXPECT_THAT([&] { Store(path_, mode); },
                ThrowsMessage<InputError>(HasSubstr("has schema version 99, this program knows")));
  }
  EXPECT_EQ(read_file(path_), before);
}

}  // namespace
}  // namespace fbt::results
