#pragma once

// A file's lines, one after another in constant memory.

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>

namespace fbt {

class LineReader {
 public:
  // Files that start as gzip files do are decompressed. Throws InputError.
  explicit LineReader(const std::filesystem::path& path);
  ~LineReader();
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  // The next line that holds more than white space, without its '\n'; false at the
  // end of the file. Throws InputError where the file cannot be read on.
  bool next(std::string& line);

  // The number of the line that next() gave last, from 1; blank lines count.
  std::size_t line_number() const { return line_number_; }

 private:
  struct State;

  bool next_of_any_kind(std::string& line);

  std::unique_ptr<State> state_;
  std::size_t line_number_ = 0;
};

}  // namespace fbt
