#include <cmath>

#include "tasks/registry.h"

namespace fbt::tasks {

MeanScore mean_score(const std::vector<double>& values) {
  MeanScore score;
  score.documents = static_cast<int>(values.size());
  if (values.empty()) return score;
  const double n = static_cast<double>(values.size());
  double sum = 0;
  for (const double value : values) sum += value;
  score.mean = sum / n;
  if (values.size() < 2) return score;
  double squares = 0;
  for (const double value : values) squares += (value - score.mean) * (value - score.mean);
  score.standard_error = std::sqrt(squares / (n - 1) / n);
  return score;
}

std::optional<MeanScore> group_score(const Group& group,
                                     const std::map<std::string, MeanScore>& scores) {
  const bool weighted = group.mean == Group::Mean::kSizeWeighted;
  const std::vector<std::string>& parts = weighted ? group.tasks : group.members;
  MeanScore result;
  double weights = 0;
  // Plain: the sum of squared errors. Weighted: the sum of the squared deviations
  // of all documents from their task's mean (n - 1 times the sample variance,
  // which is n times the squared error).
  double spread = 0;
  for (const std::string& part : parts) {
    const auto found = scores.find(part);
    if (found == scores.end()) return std::nullopt;
    const MeanScore& score = found->second;
    const double n = score.documents;
    const double weight = weighted ? n : 1;
    const double error_squared = score.standard_error * score.standard_error;
    result.mean += weight * score.mean;
    weights += weight;
    spread += weighted ? (n - 1) * n * error_squared : error_squared;
    result.documents += score.documents;
  }
  if (weights == 0) return std::nullopt;
  result.mean /= weights;
  const double count = static_cast<double>(parts.size());
  if (!weighted) {
    result.standard_error = std::sqrt(spread) / count;
  } else if (weights > count) {
    result.standard_error = std::sqrt(spread / (weights - count) / weights);
  }
  return result;
}

}  // namespace fbt::tasks
