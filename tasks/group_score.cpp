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
  MeanScore result;
  double weights = 0;
  // Plain: sum of squared errors. Weighted: sum of (n-1) times sample variance,
  // as lm-eval pools them.
  double spread = 0;
  for (const std::string& member : group.members) {
    const auto found = scores.find(member);
    if (found == scores.end()) return std::nullopt;
    const MeanScore& score = found->second;
    const double error_squared = score.standard_error * score.standard_error;
    const double n = score.documents;
    const bool weighted = group.mean == Group::Mean::kSizeWeighted;
    const double weight = weighted ? n : 1;
    result.mean += weight * score.mean;
    weights += weight;
    spread += weighted ? (n - 1) * n * error_squared : error_squared;
    result.documents += score.documents;
  }
  if (weights == 0) return std::nullopt;
  result.mean /= weights;
  const double members = static_cast<double>(group.members.size());
  if (group.mean == Group::Mean::kPlain) {
    result.standard_error = std::sqrt(spread) / members;
  } else if (result.documents > members) {
    result.standard_error = std::sqrt(spread / (weights - members) / weights);
  }
  return result;
}

}  // namespace fbt::tasks
