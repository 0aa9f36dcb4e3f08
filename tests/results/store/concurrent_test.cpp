// Two writers and a reader at once, with a writer killed in between: nothing
// acknowledged is lost, nothing is doubled, the file stays whole. Runs for two
// seconds; FBT_STRESS_SECONDS makes it longer.

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "results/store/database.h"
#include "tests/results/simulate.h"
#include "tests/support/paths.h"

namespace fbt::results {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kDocuments = 1'000'000;  // more than can be written

RunId open_run(Store& store, const std::string& name) {
  return store.get_or_create_run(store.get_or_create_checkpoint(testing::checkpoint(name)),
                                 store.get_or_create_plan(testing::code_plan()), kDocuments);
}

Batch batch_of(int document) {
  Batch batch = testing::simulate(testing::code_plan(), {.documents = 1}).front();
  for (Document& row : batch.documents) row.doc_id = document;
  for (Generation& row : batch.generations) row.doc_id = document;
  for (DocumentScore& row : batch.scores) row.doc_id = document;
  return batch;
}

// Continues the run where it stopped, as a harness does, and tells each
// acknowledged document through the pipe. Never returns.
[[noreturn]] void write_until_killed(const std::filesystem::path& path, const std::string& name,
                                     int pipe) {
  try {
    Store store(path, OpenMode::kWrite);
    const RunId run = open_run(store, name);
    int document = static_cast<int>(store.documents(run).size());
    // The last one may be there twice: idempotent.
    for (document = std::max(0, document - 1);; ++document) {
      store.append(run, batch_of(document));
      if (::write(pipe, &document, sizeof document) != sizeof document) ::_exit(2);
    }
  } catch (const Error& error) {
    std::fprintf(stderr, "writer %s: %s\n", name.c_str(), error.what());
    ::_exit(1);
  }
}

struct Writer {
  std::string name;
  pid_t pid = 0;
  int pipe[2] = {-1, -1};
  int acknowledged = -1;

  void start(const std::filesystem::path& path) {
    ASSERT_EQ(::pipe(pipe), 0);
    pid = ::fork();
    if (pid == 0) write_until_killed(path, name, pipe[1]);
    ::close(pipe[1]);
  }

  // The writer must not have ended by itself.
  void kill() {
    ::kill(pid, SIGKILL);
    int status = 0;
    ::waitpid(pid, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status)) << name << " failed by itself";
    for (int document = 0; ::read(pipe[0], &document, sizeof document) == sizeof document;) {
      acknowledged = std::max(acknowledged, document);
    }
    ::close(pipe[0]);
  }
};

TEST(ConcurrentStore, TwoWritersAReaderAndKills) {
  const fbt::testing::TemporaryFolder folder;
  const auto path = folder.path() / "results.sqlite";
  const char* seconds = std::getenv("FBT_STRESS_SECONDS");
  const auto end = Clock::now() + std::chrono::seconds(seconds != nullptr ? std::atoi(seconds) : 2);

  Writer writers[2] = {{"a"}, {"b"}};
  for (Writer& writer : writers) writer.start(path);
  int reads = 0;
  for (int round = 0; Clock::now() < end; ++round) {
    // Read while both write; what is read is always whole documents.
    const auto kill_at = Clock::now() + std::chrono::milliseconds(100 + 37 * (round % 9));
    while (Clock::now() < kill_at) {
      if (!std::filesystem::exists(path) || std::filesystem::file_size(path) == 0) continue;
      const Store reader(path, OpenMode::kRead);
      for (const RunRecord& run : reader.runs()) {
        EXPECT_EQ(reader.scores(run.id).size() % 6, 0u);
        ++reads;
      }
    }
    Writer& victim = writers[round % 2];
    victim.kill();
    victim.start(path);
  }
  for (Writer& writer : writers) writer.kill();

  Database database(path, Database::Access::kReadWrite);
  EXPECT_EQ(database.query_text("PRAGMA integrity_check"), "ok");
  const Store store(path, OpenMode::kRead);
  EXPECT_GT(reads, 0);
  for (const RunRecord& run : store.runs()) {
    const int acknowledged = writers[run.checkpoint.name == "a" ? 0 : 1].acknowledged;
    EXPECT_GT(acknowledged, 0);
    const auto documents = store.documents(run.id);
    // At most one batch was on the disk without its acknowledgement.
    EXPECT_GE(static_cast<int>(documents.size()), acknowledged + 1);
    EXPECT_LE(static_cast<int>(documents.size()), acknowledged + 2);
    std::set<std::tuple<std::int64_t, double, int>> samples;
    for (const SampleOutcome& sample : store.outcomes(run.id)) {
      EXPECT_TRUE(samples.emplace(sample.doc_id, sample.temperature, sample.sample).second);
    }
    EXPECT_EQ(samples.size(), documents.size() * 30);
    EXPECT_EQ(store.scores(run.id).size(), documents.size() * 6);
    EXPECT_EQ(run.documents_done, static_cast<int>(documents.size()));
  }
}

// A second connection of one process must not cost the first its locks: another
// process that closes the file would take the write-ahead log away beneath it.
TEST(ConcurrentStore, AnotherProcessLeavesTheLogToTwoConnectionsOfOne) {
  const fbt::testing::TemporaryFolder folder;
  const auto path = folder.path() / "results.sqlite";
  Store(path, OpenMode::kWrite);
  int go[2];
  ASSERT_EQ(::pipe(go), 0);
  const pid_t child = ::fork();  // before this process opens the file: SQLite forbids the other
  if (child == 0) {
    char start = 0;
    if (::read(go[0], &start, 1) != 1) ::_exit(1);
    {
      Store other(path, OpenMode::kWrite);
      other.append(open_run(other, "other"), batch_of(0));
    }
    ::_exit(0);
  }
  {
    Store first(path, OpenMode::kWrite);
    const RunId run = open_run(first, "first");
    const Store second(path, OpenMode::kRead);
    ASSERT_EQ(::write(go[1], "x", 1), 1);
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    EXPECT_TRUE(std::filesystem::exists(path.string() + "-wal"));
    first.append(run, batch_of(0));
  }
  EXPECT_EQ(Store(path, OpenMode::kRead).runs().size(), 2u);
}

// Many processes make the same file at the same moment.
TEST(ConcurrentStore, ManyMakersOfOneFile) {
  const fbt::testing::TemporaryFolder folder;
  const auto path = folder.path() / "results.sqlite";
  std::vector<pid_t> children;
  for (int i = 0; i < 8; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      try {
        Store store(path, OpenMode::kWrite);
        store.append(open_run(store, "same"), batch_of(i));
        ::_exit(0);
      } catch (const Error& error) {
        std::fprintf(stderr, "maker %d: %s\n", i, error.what());
        ::_exit(1);
      }
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  const Store store(path, OpenMode::kRead);
  ASSERT_EQ(store.runs().size(), 1u);
  EXPECT_EQ(store.documents(store.runs()[0].id).size(), 8u);
}

}  // namespace
}  // namespace fbt::results
