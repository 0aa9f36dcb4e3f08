#include "base/line_reader.h"

#include <zlib.h>

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "tests/support/paths.h"

namespace fbt {
namespace {

using Lines = std::vector<std::pair<std::size_t, std::string>>;

Lines read_all(const std::filesystem::path& path) {
  LineReader reader(path);
  Lines lines;
  std::string line;
  while (reader.next(line)) lines.emplace_back(reader.line_number(), line);
  return lines;
}

TEST(LineReader, SkipsBlankLinesAndCountsThem) {
  const testing::TemporaryFolder folder;
  const auto path = folder.path() / "lines";
  write_file_atomically(path, "one\n\n \t\r\nfour\r\nfive");
  EXPECT_EQ(read_all(path), (Lines{{1, "one"}, {4, "four\r"}, {5, "five"}}));
  write_file_atomically(path, "");
  EXPECT_TRUE(read_all(path).empty());
}

TEST(LineReader, LinesLongerThanTheBufferAndGzip) {
  const testing::TemporaryFolder folder;
  const std::string longest(200000, 'x');
  const std::string content = longest + "\ny\n" + longest;
  const Lines expected = {{1, longest}, {2, "y"}, {3, longest}};
  write_file_atomically(folder.path() / "plain", content);
  EXPECT_EQ(read_all(folder.path() / "plain"), expected);
  gzFile file = gzopen((folder.path() / "packed.gz").c_str(), "wb");
  ASSERT_EQ(gzwrite(file, content.data(), static_cast<unsigned>(content.size())),
            static_cast<int>(content.size()));
  gzclose(file);
  EXPECT_EQ(read_all(folder.path() / "packed.gz"), expected);
}

TEST(LineReader, RefusesWhatItCannotRead) {
  const testing::TemporaryFolder folder;
  EXPECT_THROW(LineReader(folder.path() / "absent"), InputError);
  EXPECT_THROW(LineReader{folder.path()}, InputError);
  // A gzip file cut short.
  gzFile file = gzopen((folder.path() / "whole.gz").c_str(), "wb");
  std::string noise;
  for (int i = 0; i < 5000; ++i) noise += std::to_string(i * 7919 % 10007) + "\n";
  gzwrite(file, noise.data(), static_cast<unsigned>(noise.size()));
  gzclose(file);
  const std::string whole = [&] {
    std::string bytes;
    FILE* raw = std::fopen((folder.path() / "whole.gz").c_str(), "rb");
    char buffer[4096];
    for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, raw)) > 0;)
      bytes.append(buffer, n);
    std::fclose(raw);
    return bytes;
  }();
  write_file_atomically(folder.path() / "cut.gz", whole.substr(0, whole.size() / 2));
  EXPECT_THROW(read_all(folder.path() / "cut.gz"), InputError);
}

}  // namespace
}  // namespace fbt
