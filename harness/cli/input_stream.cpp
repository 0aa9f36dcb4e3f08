#include "harness/cli/input_stream.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <iterator>

#include <fmt/format.h>

#include "base/error.h"

namespace fbt::cli {

InputStream::InputStream(const std::string& path) : name_(path == "-" ? "standard input" : path) {
  if (path == "-") return;
  file_.open(path, std::ios::binary);
  if (!file_) throw InputError(fmt::format("cannot read {}: {}", path, std::strerror(errno)));
  if (std::filesystem::is_directory(path)) {
    throw InputError(fmt::format("cannot read {}: it is a folder", path));
  }
}

std::istream& InputStream::stream() {
  return file_.is_open() ? file_ : std::cin;
}

std::string InputStream::read_all() {
  return {std::istreambuf_iterator<char>(stream()), std::istreambuf_iterator<char>()};
}

}  // namespace fbt::cli
