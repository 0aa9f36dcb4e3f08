#include "results/statistics/group_mean.h"

#include <cmath>

#include "results/statistics/interval.h"

namespace fbt::results {

MeanScore mean_score(std::span<const double> values, std::span<const std::string> subjects) {
  MeanScore score{mean(values), 0, static_cast<int>(values.size())};
  if (has_clusters(subjects)) {
    score.standard_error = clustered_standard_error(values, subjects);
  } else if (!values.empty()) {
    score.standard_error = standard_deviation(values) / std::sqrt(values.size());
  }
  return score;
}

MeanScore plain_mean(std::span<const MeanScore> members) {
  MeanScore result;
  double variance = 0;
  for (const MeanScore& member : members) {
    result.value += member.value;
    result.documents += member.documents;
    variance += member.standard_error * member.standard_error;
  }
  const auto count = static_cast<double>(members.size());
  result.value /= count;
  result.standard_error = std::sqrt(variance) / count;
  return result;
}

MeanScore size_weighted_mean(std::span<const MeanScore> members) {
  if (members.size() == 1) return members.front();
  MeanScore result;
  double sum = 0;
  for (const MeanScore& member : members) {
    sum += member.value * member.documents;
    result.documents += member.documents;
  }
  if (result.documents == 0) return result;
  result.value = sum / result.documents;
  double squares = 0;
  for (const MeanScore& member : members) {
    const double residual = member.documents * (member.value - result.value);
    squares += residual * residual;
  }
  const auto count = static_cast<double>(members.size());
  result.standard_error = std::sqrt(squares * count / (count - 1)) / result.documents;
  return result;
}

double pooled_standard_error(std::span<const MeanScore> members) {
  double squares = 0;  // deviations of all documents from their member's mean
  double documents = 0;
  for (const MeanScore& member : members) {
    const double n = member.documents;
    squares += (n - 1) * n * member.standard_error * member.standard_error;
    documents += n;
  }
  const double freedom = documents - static_cast<double>(members.size());
  return freedom > 0 ? std::sqrt(squares / freedom / documents) : 0;
}

}  // namespace fbt::results
