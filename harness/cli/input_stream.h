#pragma once

// Where a command reads from: a file, or standard input.

#include <fstream>
#include <istream>
#include <string>

namespace fbt::cli {

class InputStream {
 public:
  // "-" is standard input. Throws InputError where the file cannot be opened.
  explicit InputStream(const std::string& path);

  std::istream& stream();
  // For messages: the path, or "standard input".
  const std::string& name() const { return name_; }
  // All that is left.
  std::string read_all();

 private:
  std::string name_;
  std::ifstream file_;
};

}  // namespace fbt::cli
