#include "base/line_reader.h"

#include <zlib.h>

#include <array>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "base/error.h"

namespace fbt {

struct LineReader::State {
  std::string path;
  gzFile file = nullptr;
  std::array<char, 1 << 16> buffer;
  std::size_t begin = 0;
  std::size_t end = 0;

  ~State() {
    if (file != nullptr) gzclose(file);
  }

  // False at the end of the file.
  bool fill() {
    const int got = gzread(file, buffer.data(), static_cast<unsigned>(buffer.size()));
    int code = Z_OK;
    const char* what = gzerror(file, &code);
    if (got < 0 || (got == 0 && code != Z_OK && code != Z_STREAM_END)) {
      throw InputError(
          fmt::format("cannot read {}: {}", path, code == Z_ERRNO ? std::strerror(errno) : what));
    }
    begin = 0;
    end = static_cast<std::size_t>(got);
    return got > 0;
  }
};

LineReader::LineReader(const std::filesystem::path& path) : state_(std::make_unique<State>()) {
  state_->path = path.string();
  if (std::filesystem::is_directory(path)) {
    throw InputError(fmt::format("cannot read {}: it is a folder, not a file", state_->path));
  }
  state_->file = gzopen(path.c_str(), "rbe");
  if (state_->file == nullptr) {
    throw InputError(fmt::format("cannot read {}: {}", state_->path, std::strerror(errno)));
  }
}

LineReader::~LineReader() = default;

bool LineReader::next_of_any_kind(std::string& line) {
  line.clear();
  while (true) {
    State& state = *state_;
    if (state.begin == state.end && !state.fill()) break;
    const char* from = state.buffer.data() + state.begin;
    const auto* stop = static_cast<const char*>(std::memchr(from, '\n', state.end - state.begin));
    if (stop == nullptr) {
      line.append(from, state.end - state.begin);
      state.begin = state.end;
      continue;
    }
    line.append(from, stop);
    state.begin += static_cast<std::size_t>(stop - from) + 1;
    ++line_number_;
    return true;
  }
  if (line.empty()) return false;
  ++line_number_;
  return true;
}

bool LineReader::next(std::string& line) {
  while (next_of_any_kind(line)) {
    if (line.find_first_not_of(" \t\r") != std::string::npos) return true;
  }
  return false;
}

}  // namespace fbt
