#pragma once

// A matrix of features, one row a sample, and how its columns are brought to
// mean 0 and variance 1.

#include <cstddef>
#include <span>
#include <vector>

namespace fbt::mechanism {

// Rows of `columns` floats, one after the other; the caller keeps them alive.
struct FeatureView {
  std::span<const float> values;
  std::size_t columns = 0;

  std::size_t rows() const { return columns == 0 ? 0 : values.size() / columns; }
  std::span<const float> row(std::size_t i) const { return values.subspan(i * columns, columns); }
};

// standardized = (value - mean) * inverse_scale. Columns that are constant but
// for float32's rounding (deviation below a millionth of the mean) have inverse
// scale 0: they carry nothing, and scaling them up would make noise of it.
struct Standardization {
  std::vector<double> mean;
  std::vector<double> inverse_scale;
};

// Of these rows only (population variance, as scikit-learn's StandardScaler).
// Precondition: at least one row.
Standardization standardization_of(const FeatureView& features, std::span<const std::size_t> rows);

}  // namespace fbt::mechanism
