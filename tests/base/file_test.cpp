#include "base/file.h"

#include <fstream>

#include <gmock/gmock.h>
#include <zlib.h>

#include "base/error.h"
#include "tests/support/paths.h"

namespace fbt {
namespace {

using ::testing::HasSubstr;

std::string error_of(const std::filesystem::path& path) {
  try {
    read_file(path);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ReadFile, NamesThePathAndTheReason) {
  const testing::TemporaryFolder folder;
  EXPECT_THAT(error_of(folder.path() / "absent.json"), HasSubstr("absent.json: No such file"));
  EXPECT_THAT(error_of(folder.path()), HasSubstr("is a folder"));
}

TEST(ReadFile, UnpacksGzipAndRefusesAHalfOne) {
  const testing::TemporaryFolder folder;
  const std::string text(100000, 'x');
  const auto path = folder.path() / "a.gz";
  gzFile out = gzopen(path.c_str(), "wb");
  ASSERT_EQ(gzwrite(out, text.data(), static_cast<unsigned>(text.size())), 100000);
  gzclose(out);
  EXPECT_EQ(read_file(path), text);
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 12);
  EXPECT_THAT(error_of(path), HasSubstr("not a whole gzip file"));
}

TEST(WriteFileAtomically, ReplacesAndLeavesNoTemporary) {
  const testing::TemporaryFolder folder;
  const auto path = folder.path() / "a.txt";
  write_file_atomically(path, "old");
  write_file_atomically(path, "new");
  EXPECT_EQ(read_file(path), "new");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(WriteFileAtomically, ReportsAFullDisk) {
  // /dev/full is in a folder where files can be made; a folder that is absent is the
  // portable stand-in for one that cannot be written.
  EXPECT_THROW(write_file_atomically("/nonexistent/folder/a", "x"), EnvironmentError);
}

TEST(MappedFile, SeesTheBytesAndSurvivesMoves) {
  const testing::TemporaryFolder folder;
  const auto path = folder.path() / "a.bin";
  write_file_atomically(path, "hello");
  MappedFile first(path);
  const MappedFile second(std::move(first));
  ASSERT_EQ(second.bytes().size(), 5U);
  EXPECT_EQ(static_cast<char>(second.bytes()[1]), 'e');
  write_file_atomically(path, "");
  EXPECT_TRUE(MappedFile(path).bytes().empty());
  EXPECT_THROW(MappedFile(folder.path()), InputError);
}

}  // namespace
}  // namespace fbt
