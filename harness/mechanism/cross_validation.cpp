#include "harness/mechanism/cross_validation.h"

#include <algorithm>

#include "harness/mechanism/group_folds.h"

namespace fbt::mechanism {

double choose_strength(const TrainingSet& training, std::span<const int> inner_fold,
                       std::span<const double> strengths) {
  const int folds = 1 + *std::max_element(inner_fold.begin(), inner_fold.end());
  std::vector<double> accuracy(strengths.size(), 0);  // summed over folds
  for (int fold = 0; fold < folds; ++fold) {
    std::vector<std::size_t> seen;
    std::vector<std::size_t> held_out;
    for (std::size_t i = 0; i < training.rows.size(); ++i) {
      (inner_fold[i] == fold ? held_out : seen).push_back(training.rows[i]);
    }
    LogisticRegression model({training.features, training.labels, seen, training.classes});
    for (std::size_t s = 0; s < strengths.size(); ++s) {
      model.fit(strengths[s]);
      const auto right = std::count_if(held_out.begin(), held_out.end(), [&](std::size_t row) {
        return model.predict(training.features.row(row)) == training.labels[row];
      });
      accuracy[s] += static_cast<double>(right) / static_cast<double>(held_out.size());
    }
  }
  const auto best = std::max_element(accuracy.begin(), accuracy.end());
  return strengths[static_cast<std::size_t>(best - accuracy.begin())];
}

HeldOut cross_validate(const FeatureView& features, std::span<const int> labels,
                       std::span<const int> groups, int classes,
                       const CrossValidationOptions& options) {
  const std::vector<int> fold_of = group_folds(groups, options.folds, options.seed);
  HeldOut result;
  result.predictions.resize(labels.size());
  for (int fold = 0; fold < options.folds; ++fold) {
    std::vector<std::size_t> rows;
    std::vector<int> row_groups;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (fold_of[i] == fold) continue;
      rows.push_back(i);
      row_groups.push_back(groups[i]);
    }
    const TrainingSet training{features, labels, rows, classes};
    const std::vector<int> inner = group_folds(row_groups, options.inner_folds,
                                               options.seed + 1 + static_cast<std::uint64_t>(fold));
    const double strength = choose_strength(training, inner, options.strengths);
    LogisticRegression model(training);
    model.fit(strength);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (fold_of[i] == fold) result.predictions[i] = model.predict(features.row(i));
    }
    result.strengths.push_back(strength);
  }
  return result;
}

}  // namespace fbt::mechanism
