#include "harness/mechanism/feature_file.h"

#include <cerrno>
#include <fstream>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"

namespace fbt::mechanism {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const std::error_code& error) {
  throw EnvironmentError(fmt::format("{}: {}; the features of a data set are kept there",
                                     path.string(), error.message()));
}

}  // namespace

FeatureFile::FeatureFile(fs::path path, std::size_t layers, std::size_t columns, std::size_t batch)
    : path_(std::move(path)), layers_(layers), columns_(columns) {
  std::error_code error;
  if (path_.has_parent_path()) fs::create_directories(path_.parent_path(), error);
  if (error) fail(path_, error);
  const std::size_t row_bytes = layers_ * columns_ * sizeof(float);
  const auto size = fs::file_size(path_, error);
  if (error) return;  // not there yet
  rows_ = size / (row_bytes * batch) * batch;
  fs::resize_file(path_, rows_ * row_bytes, error);
  if (error) fail(path_, error);
}

void FeatureFile::append(std::span<const float> values) {
  std::ofstream file(path_, std::ios::binary | std::ios::app);
  file.write(reinterpret_cast<const char*>(values.data()),
             static_cast<std::streamsize>(values.size_bytes()));
  file.close();
  if (!file) fail(path_, std::error_code(errno, std::generic_category()));
  rows_ += values.size() / (layers_ * columns_);
}

std::vector<float> FeatureFile::layer(std::size_t index) const {
  // Read, not mapped: a mapping would bring all layers into memory.
  std::ifstream file(path_, std::ios::binary);
  std::vector<float> values(rows_ * columns_);
  const std::size_t layer_bytes = columns_ * sizeof(float);
  for (std::size_t row = 0; row < rows_; ++row) {
    file.seekg(static_cast<std::streamoff>((row * layers_ + index) * layer_bytes));
    file.read(reinterpret_cast<char*>(values.data() + row * columns_),
              static_cast<std::streamsize>(layer_bytes));
  }
  if (!file) fail(path_, std::error_code(errno, std::generic_category()));
  return values;
}

void FeatureFile::remove() {
  std::error_code error;
  fs::remove(path_, error);
  fs::remove(path_.parent_path(), error);  // where it is empty
}

}  // namespace fbt::mechanism
