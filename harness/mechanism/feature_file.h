#pragma once

// The features of a data set on the disk, one row of all layers a sample, so
// that extraction can go on after an interruption and fitting reads one layer
// at a time.

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

namespace fbt::mechanism {

class FeatureFile {
 public:
  // Opens or makes the file, which is written `batch` rows at a time: a batch that is
  // not whole is cut off, so that what is added lies in the same batches as without an
  // interruption. Throws EnvironmentError.
  FeatureFile(std::filesystem::path path, std::size_t layers, std::size_t columns,
              std::size_t batch);

  std::size_t rows() const { return rows_; }

  // `values`: [samples, layers, columns]. Throws EnvironmentError.
  void append(std::span<const float> values);

  // One layer of all rows: [rows, columns]. Throws EnvironmentError.
  std::vector<float> layer(std::size_t index) const;

  // Deletes the file; the object may only be destroyed then.
  void remove();

 private:
  std::filesystem::path path_;
  std::size_t layers_;
  std::size_t columns_;
  std::size_t rows_ = 0;
};

}  // namespace fbt::mechanism
