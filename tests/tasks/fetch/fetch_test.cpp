#include "tasks/fetch/fetch.h"

#include <sys/resource.h>

#include <csignal>
#include <fstream>

#include <gmock/gmock.h>

#include "base/file.h"
#include "base/sha256.h"
#include "tests/support/errors.h"
#include "tests/support/paths.h"
#include "tests/tasks/fetch/http_server.h"

namespace fbt::tasks {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kUrl = "https://example.test/set/rows.jsonl";
constexpr const char* kPath = "/example.test/set/rows.jsonl";

std::string rows(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += "{\"n\": " + std::to_string(i) + "}\n";
  return text;
}

class Fetch : public ::testing::Test {
 protected:
  DataSet set_of(SourceFile file) const { return {"set", "A set", "none", {std::move(file)}}; }

  SourceFile source(const std::string& content) const {
    return {"set/rows.jsonl", {kUrl}, "", "", sha256_hex(content), std::nullopt, {}};
  }

  FetchOptions options() const { return {folder_.path() / "data", server_.url(), {}}; }

  std::filesystem::path target() const { return folder_.path() / "data" / "set" / "rows.jsonl"; }

  std::string error_of(const DataSet& set) const {
    return testing::error_of<EnvironmentError>([&] { fetch_data_set(set, options()); });
  }

  // Every file under the data folder, relative to it.
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    const std::filesystem::path root = folder_.path() / "data";
    if (!std::filesystem::exists(root)) return names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
      if (entry.is_regular_file()) {
        names.push_back(std::filesystem::relative(entry.path(), root).string());
      }
    }
    return names;
  }

  testing::TemporaryFolder folder_;
  testing::HttpServer server_;
};

TEST_F(Fetch, BringsWhatIsMissingOnce) {
  const std::string content = rows(3);
  server_.serve(kPath, {.content = content});
  const DataSet set = set_of(source(content));
  EXPECT_EQ(fetch_data_set(set, options()), 1);
  EXPECT_EQ(read_file(target()), content);
  EXPECT_EQ(fetch_data_set(set, options()), 0);
  EXPECT_THAT(server_.requests(), ElementsAre(kPath));
  EXPECT_THAT(files(), ElementsAre("set/rows.jsonl"));
}

TEST_F(Fetch, ReplacesAFileThatDiffers) {
  const std::string content = rows(3);
  server_.serve(kPath, {.content = content});
  std::filesystem::create_directories(target().parent_path());
  write_file_atomically(target(), "damaged");
  EXPECT_EQ(fetch_data_set(set_of(source(content)), options()), 1);
  EXPECT_EQ(read_file(target()), content);
}

TEST_F(Fetch, GoesOnWhereTheConnectionBroke) {
  const std::string content = rows(1000);
  server_.serve(kPath, {.content = content, .break_after = 4000, .breaks = 2});
  EXPECT_EQ(fetch_data_set(set_of(source(content)), options()), 1);
  EXPECT_EQ(read_file(target()), content);
  EXPECT_THAT(server_.requests(), ElementsAre(kPath, std::string(kPath) + " bytes=4000-",
                                              std::string(kPath) + " bytes=8000-"));
}

TEST_F(Fetch, KeepsWhatArrivedForTheNextCall) {
  const std::string content = rows(1000);
  const DataSet set = set_of(source(content));
  server_.serve(kPath, {.content = content, .break_after = 1000, .breaks = 4});
  EXPECT_THAT(error_of(set), HasSubstr("run the same command again"));
  EXPECT_FALSE(std::filesystem::exists(target()));
  EXPECT_EQ(fetch_data_set(set, options()), 1);
  EXPECT_EQ(read_file(target()), content);
  EXPECT_EQ(server_.requests().back(), std::string(kPath) + " bytes=4000-");
}

TEST_F(Fetch, StartsOverWhereTheServerCannotGoOn) {
  const std::string content = rows(1000);
  server_.serve(kPath, {.content = content, .break_after = 4000, .breaks = 1, .ranges = false});
  EXPECT_EQ(fetch_data_set(set_of(source(content)), options()), 1);
  EXPECT_EQ(read_file(target()), content);
}

TEST_F(Fetch, StartsOverWhereTheOriginHasBecomeShorter) {
  const std::string content = rows(100);
  const DataSet set = set_of(source(content));
  server_.serve(kPath, {.content = rows(1000), .break_after = 5000, .breaks = 4});
  error_of(set);
  server_.serve(kPath, {.content = content});
  EXPECT_EQ(fetch_data_set(set, options()), 1);
  EXPECT_EQ(read_file(target()), content);
}

TEST_F(Fetch, RefusesAnotherContent) {
  server_.serve(kPath, {.content = rows(4)});
  EXPECT_THAT(error_of(set_of(source(rows(3)))), HasSubstr("its SHA-256 is"));
  EXPECT_THAT(files(), IsEmpty());
}

TEST_F(Fetch, ChecksTheRowsWhereNoHashIsKnown) {
  SourceFile file = source("");
  file.sha256.clear();
  file.rows = 3;
  server_.serve(kPath, {.content = rows(4)});
  EXPECT_THAT(error_of(set_of(file)), HasSubstr("it holds 4 rows, not 3"));
  server_.serve(kPath, {.content = rows(3)});
  EXPECT_EQ(fetch_data_set(set_of(file), options()), 1);
}

TEST_F(Fetch, ChecksTheFieldsWhereNoHashIsKnown) {
  SourceFile file = source("");
  file.sha256.clear();
  file.rows = 2;
  file.fields = {"n", "text"};
  server_.serve(kPath, {.content = "{\"n\": 1, \"text\": \"a\"}\n{\"n\": 2}\n"});
  EXPECT_THAT(error_of(set_of(file)), HasSubstr("its line 2 has no field 'text'"));
  server_.serve(kPath, {.content = "{\"n\": 1, \"text\": \"a\"}\n[\"n\", \"text\"]\n"});
  EXPECT_THAT(error_of(set_of(file)), HasSubstr("its line 2 has no field 'n'"));
  server_.serve(kPath, {.content = "{\"n\": 1, \"text\": \"a\"}\n{\"n\": 2, \"text\": \"\"}\n"});
  EXPECT_EQ(fetch_data_set(set_of(file), options()), 1);
}

TEST_F(Fetch, NamesTheUrlThatIsNotFound) {
  EXPECT_THAT(error_of(set_of(source(""))),
              AllOf(HasSubstr(kPath), HasSubstr("answers with status 404")));
  EXPECT_FALSE(std::filesystem::exists(target()));
}

TEST_F(Fetch, SaysThatThereIsNoServer) {
  DataSet set = set_of(source(""));
  FetchOptions nowhere = options();
  nowhere.mirror = "http://127.0.0.1:1";
  EXPECT_THROW(fetch_data_set(set, nowhere), EnvironmentError);
}

// A limit on the size of files stands for a full disk: writing fails half-way.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int) = nullptr;
};

TEST_F(Fetch, LeavesNoHalfFileOnAFullDisk) {
  const std::string content = rows(5000);
  server_.serve(kPath, {.content = content});
  const DataSet set = set_of(source(content));
  {
    const FileSizeLimit limit(20'000);
    EXPECT_THAT(error_of(set), HasSubstr("cannot write"));
    EXPECT_FALSE(std::filesystem::exists(target()));
  }
  EXPECT_EQ(fetch_data_set(set, options()), 1);
  EXPECT_EQ(read_file(target()), content);
}

TEST_F(Fetch, LeavesNoHalfFileWhereTheDiskFillsAtTheLastStep) {
  // The parts fit, the file made of them does not.
  const std::string part = rows(30);
  SourceFile file = source("");
  file.urls = {kUrl, kUrl, kUrl};
  file.sha256 = sha256_hex(part + part + part);
  server_.serve(kPath, {.content = part});
  {
    const FileSizeLimit limit(part.size() + 10);
    EXPECT_THAT(error_of(set_of(file)), HasSubstr("cannot write"));
    EXPECT_FALSE(std::filesystem::exists(target()));
  }
  EXPECT_EQ(fetch_data_set(set_of(file), options()), 1);
}

TEST_F(Fetch, SaysThatTheFolderCannotBeWritten) {
  FetchOptions to = options();
  to.folder = "/proc/nowhere";
  EXPECT_THROW(fetch_data_set(set_of(source("")), to), EnvironmentError);
}

TEST_F(Fetch, JoinsPartsAndConverts) {
  server_.serve("/example.test/a", {.content = "one\r\n"});
  server_.serve("/example.test/b", {.content = "two\r\n"});
  SourceFile file = source("one\ntwo\n");
  file.urls = {"https://example.test/a", "https://example.test/b"};
  file.conversion = "crlf_to_lf";
  EXPECT_EQ(fetch_data_set(set_of(file), options()), 1);
  EXPECT_EQ(read_file(target()), "one\ntwo\n");
}

TEST_F(Fetch, ReportsProgress) {
  const std::string content = rows(1000);
  server_.serve(kPath, {.content = content});
  std::uint64_t arrived = 0;
  std::uint64_t total = 0;
  FetchOptions watched = options();
  watched.progress = [&](const std::string& file, std::uint64_t now, std::uint64_t all) {
    EXPECT_EQ(file, "set/rows.jsonl");
    EXPECT_GE(now, arrived);
    arrived = now;
    total = std::max(total, all);
  };
  fetch_data_set(set_of(source(content)), watched);
  EXPECT_EQ(arrived, content.size());
  EXPECT_EQ(total, content.size());
}

TEST_F(Fetch, VerifyTellsTheStatesApart) {
  const std::string content = rows(3);
  DataSet set = set_of(source(content));
  const auto state = [&] { return verify_data_set(set, folder_.path() / "data")[0].state; };
  EXPECT_EQ(state(), FileState::kMissing);
  std::filesystem::create_directories(target().parent_path());
  write_file_atomically(target(), content);
  EXPECT_EQ(state(), FileState::kVerified);
  write_file_atomically(target(), rows(4));
  EXPECT_EQ(state(), FileState::kDiffers);
  set.files[0].sha256.clear();
  set.files[0].rows = 4;
  EXPECT_EQ(state(), FileState::kRowsVerified);
  set.files[0].rows = 5;
  EXPECT_EQ(state(), FileState::kDiffers);
}

TEST(BuiltInSources, AgreeWithTheFilesOfTheSharedFolder) {
  FBT_REQUIRE_SHARED("data");
  for (const DataSet& set : built_in_sources()) {
    for (const VerifiedFile& file : verify_data_set(set, testing::shared_dir() / "data")) {
      EXPECT_TRUE(file.state == FileState::kVerified || file.state == FileState::kRowsVerified)
          << file.file << ": " << file.detail;
    }
  }
}

}  // namespace
}  // namespace fbt::tasks
