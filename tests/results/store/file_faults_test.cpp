// Files that are not usable as they are: a clear error, and not one byte written.

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "base/random.h"
#include "results/store/database.h"
#include "results/store/schema.h"
#include "tests/results/simulate.h"
#include "tests/support/paths.h"

namespace fbt::results {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ThrowsMessage;

class FileFaults : public ::testing::Test {
 protected:
  void SetUp() override {
    Store store(path_, OpenMode::kWrite);
    testing::write_run(store, testing::checkpoint("a"), testing::code_plan(), {});
  }

  void write(const std::string& content) {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << content;
  }

  // Opening `content` either way fails with `message` and leaves it alone.
  template <typename Matcher>
  void expect_refused(const std::string& content, const Matcher& message) {
    write(content);
    for (const OpenMode mode : {OpenMode::kRead, OpenMode::kWrite}) {
      EXPECT_THAT([&] { Store(path_, mode); },
                  ThrowsMessage<InputError>(
                      AllOf(HasSubstr(path_.string()), Not(HasSubstr("\n")), message)));
    }
    EXPECT_EQ(read_file(path_), content);
  }

  fbt::testing::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "results.sqlite";
};

TEST_F(FileFaults, ForeignFiles) {
  expect_refused("{\"schema\": 1}", HasSubstr("not a results file"));
  expect_refused(std::string(5000, '\0'), HasSubstr("not a results file"));
  std::filesystem::remove(path_);
  {
    Database other(path_, Database::Access::kCreate);
    other.execute("CREATE TABLE bookmarks (url TEXT)");
  }
  expect_refused(read_file(path_), HasSubstr("database of another program"));
}

TEST_F(FileFaults, Folder) {
  EXPECT_THAT([&] { Store(folder_.path(), OpenMode::kWrite); },
              ThrowsMessage<InputError>(HasSubstr("not a regular file")));
}

TEST_F(FileFaults, AbsentFileOrFolder) {
  EXPECT_THAT([&] { Store(folder_.path() / "none.sqlite", OpenMode::kRead); },
              ThrowsMessage<InputError>(HasSubstr("there are no results in")));
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "none.sqlite"));
  EXPECT_THAT([&] { Store(folder_.path() / "none" / "r.sqlite", OpenMode::kWrite); },
              ThrowsMessage<InputError>(HasSubstr("there is no folder")));
}

TEST_F(FileFaults, TruncatedAtAnyLength) {
  const std::string whole = read_file(path_);
  for (const std::size_t length : {std::size_t{1}, std::size_t{15}}) {
    expect_refused(whole.substr(0, length), HasSubstr("not a results file"));
  }
  for (const std::size_t length :
       {std::size_t{16}, std::size_t{99}, std::size_t{100}, std::size_t{4096}, whole.size() / 2,
        whole.size() - 4096, whole.size() - 1}) {
    expect_refused(whole.substr(0, length), HasSubstr("is truncated"));
  }
}

// A writer that was killed before its first transaction leaves no bytes.
TEST_F(FileFaults, EmptyFileIsANewOne) {
  write("");
  EXPECT_TRUE(Store(path_, OpenMode::kWrite).runs().empty());
}

// A writer that was killed in a transaction before the log was in use: at each of its
// writes the file and its journal are as a kill would leave them.
TEST_F(FileFaults, InterruptedFirstTransactionIsUndone) {
  const std::filesystem::path first = folder_.path() / "first.sqlite";
  {
    Database writer(first, Database::Access::kCreate);
    migrate(writer, first.c_str());
    writer.execute("PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN; CREATE TABLE more (x)");
    for (int i = 0; i < 20; ++i) {
      writer.execute("INSERT INTO more VALUES (zeroblob(20000))");
      for (const OpenMode mode : {OpenMode::kRead, OpenMode::kWrite}) {
        const std::filesystem::path killed = folder_.path() / fmt::format("killed-{}.sqlite", i);
        for (const char* suffix : {"", "-journal"}) {
          std::filesystem::copy_file(first.string() + suffix, killed.string() + suffix,
                                     std::filesystem::copy_options::overwrite_existing);
        }
        EXPECT_TRUE(Store(killed, mode).runs().empty());
        Database undone(killed, Database::Access::kReadOnly);
        EXPECT_EQ(undone.query_int("SELECT count(*) FROM sqlite_master WHERE name = 'more'"), 0);
        std::filesystem::remove(killed.string() + "-wal");
        std::filesystem::remove(killed.string() + "-shm");
      }
    }
    EXPECT_GT(std::filesystem::file_size(first), 200000u) << "nothing of it was written";
  }
}

TEST_F(FileFaults, OverwrittenPages) {
  const std::string whole = read_file(path_);
  const std::size_t pages = whole.size() / 4096;
  ASSERT_GT(pages, 20u);
  int refused = 0;
  for (std::size_t page = 1; page < pages; page += 3) {
    std::string damaged = whole;
    damaged.replace(page * 4096, 4096, std::string(4096, '\x5a'));
    write(damaged);
    for (const OpenMode mode : {OpenMode::kRead, OpenMode::kWrite}) {
      try {
        Store(path_, mode);
      } catch (const InputError& error) {
        ++refused;
        EXPECT_THAT(error.what(), AllOf(HasSubstr("corrupt"), Not(HasSubstr("\n"))));
        EXPECT_EQ(read_file(path_), damaged);
      }
    }
  }
  // Every page is part of some B-tree here, so damage never goes unseen.
  EXPECT_EQ(refused, static_cast<int>((pages - 1 + 2) / 3 * 2));
}

TEST_F(FileFaults, RandomDamageNeverCrashesAndIsNeverWrittenTo) {
  const std::string whole = read_file(path_);
  const KeyedRandom random(7);
  for (std::uint64_t trial = 0; trial < 150; ++trial) {
    std::string damaged = whole;
    for (std::uint64_t flip = 0; flip < 1 + trial % 20; ++flip) {
      damaged[random.bits(trial, 2 * flip) % damaged.size()] =
          static_cast<char>(random.bits(trial, 2 * flip + 1));
    }
    write(damaged);
    std::filesystem::remove(path_.string() + "-wal");
    std::filesystem::remove(path_.string() + "-shm");
    try {
      const Store store(path_, OpenMode::kRead);
      for (const RunRecord& run : store.runs()) {
        store.for_each_generation(run.id, [](const Generation&) {});
        store.scores(run.id);
        store.documents(run.id, true);
      }
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), Not(HasSubstr("\n")));
    }
    EXPECT_EQ(read_file(path_), damaged) << "trial " << trial;
  }
}

// Runs `body` in a child process and returns its exit status; for limits that
// hold for a whole process.
int in_child(const std::function<int()>& body) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(body());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST_F(FileFaults, ReadOnlyFileAndFolderCanBeReadAndNotWritten) {
  ::chmod(path_.c_str(), 0444);
  ::chmod(folder_.path().c_str(), 0555);
  const int status = in_child([&] {
    constexpr uid_t kNobody = 65534;
    if (::geteuid() == 0 && ::setuid(kNobody) != 0) return 10;
    try {
      if (Store(path_, OpenMode::kRead).runs().size() != 1) return 11;
    } catch (const Error& error) {
      std::fprintf(stderr, "%s\n", error.what());
      return 12;
    }
    try {
      Store(path_, OpenMode::kWrite);
      return 13;
    } catch (const InputError& error) {
      return std::string(error.what()).find("read-only") != std::string::npos ? 0 : 14;
    }
  });
  ::chmod(folder_.path().c_str(), 0755);
  // The temporary folder itself may be closed to others.
  EXPECT_EQ(status, 0);
}

// A file size limit acts as a full disk does: a write comes back short.
TEST_F(FileFaults, FullDiskIsOneLineAndKeepsWhatWasWritten) {
  const std::string message_file = (folder_.path() / "message").string();
  const int status = in_child([&] {
    Store store(path_, OpenMode::kWrite);
    const RunId run =
        store.get_or_create_run(store.get_or_create_checkpoint(testing::checkpoint("b")),
                                store.get_or_create_plan(testing::code_plan()), 5000);
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{2 << 20, 2 << 20};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    try {
      for (const Batch& batch : testing::simulate(testing::code_plan(), {.documents = 5000})) {
        store.append(run, batch);
      }
      return 10;
    } catch (const EnvironmentError& error) {
      std::ofstream(message_file) << error.what();
      return 0;
    }
  });
  EXPECT_EQ(status, 0);
  EXPECT_THAT(read_file(message_file),
              AllOf(HasSubstr(path_.string()), AnyOf(HasSubstr("disk"), HasSubstr("I/O")),
                    Not(HasSubstr("\n"))));
  Store store(path_, OpenMode::kWrite);
  ASSERT_EQ(store.runs().size(), 2u);
  const RunId run = store.runs()[1].id;
  EXPECT_EQ(store.outcomes(run).size(), store.documents(run).size() * 30);
}

}  // namespace
}  // namespace fbt::results
