#include "harness/mechanism/features.h"

#include <cmath>

namespace fbt::mechanism {

Standardization standardization_of(const FeatureView& features, std::span<const std::size_t> rows) {
  constexpr double kConstant = 1e-6;
  const auto n = static_cast<double>(rows.size());
  Standardization result;
  result.mean.assign(features.columns, 0);
  result.inverse_scale.assign(features.columns, 0);
  for (const std::size_t i : rows) {
    const std::span<const float> row = features.row(i);
    for (std::size_t j = 0; j < row.size(); ++j) result.mean[j] += row[j];
  }
  for (double& mean : result.mean) mean /= n;
  std::vector<double>& squares = result.inverse_scale;
  for (const std::size_t i : rows) {
    const std::span<const float> row = features.row(i);
    for (std::size_t j = 0; j < row.size(); ++j) {
      const double difference = row[j] - result.mean[j];
      squares[j] += difference * difference;
    }
  }
  for (std::size_t j = 0; j < features.columns; ++j) {
    const double deviation = std::sqrt(squares[j] / n);
    const bool constant = deviation <= kConstant * std::abs(result.mean[j]);
    result.inverse_scale[j] = constant ? 0 : 1 / deviation;
  }
  return result;
}

}  // namespace fbt::mechanism
