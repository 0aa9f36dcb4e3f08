#include "harness/train/training_log.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <string>

#include "base/error.h"
#include "tests/support/paths.h"

namespace fbt::train {
namespace {

std::string query(const std::filesystem::path& path, const char* sql) {
  sqlite3* database = nullptr;
  sqlite3_open(path.c_str(), &database);
  std::string answer;
  sqlite3_exec(
      database, sql,
      [](void* out, int, char** values, char**) {
        *static_cast<std::string*>(out) += std::string(values[0]) + ";";
        return 0;
      },
      &answer, nullptr);
  sqlite3_close(database);
  return answer;
}

TEST(TrainingLog, KeepsARowAStepAndForgetsOnResume) {
  const fbt::testing::TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "log.sqlite";
  {
    TrainingLog log(path);
    for (int step = 0; step < 5; ++step) log.append({.step = step, .loss = 2.5 - step});
  }
  TrainingLog log(path);
  log.truncate(3);
  log.append({.step = 3, .passes = 2, .loss = 9});
  EXPECT_EQ(query(path, "SELECT step FROM training_steps ORDER BY step"), "0;1;2;3;");
  EXPECT_EQ(query(path, "SELECT loss FROM training_steps WHERE step IN (2, 3)"), "0.5;9.0;");
  EXPECT_EQ(query(path, "SELECT passes FROM training_steps WHERE step = 3"), "2;");
}

TEST(TrainingLog, NamesTheFileItCannotOpen) {
  EXPECT_THROW(TrainingLog("/nowhere/log.sqlite"), EnvironmentError);
}

}  // namespace
}  // namespace fbt::train
