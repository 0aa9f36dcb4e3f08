#include "harness/mechanism/cross_validation.h"

#include <algorithm>

#include "harness/mechanism/group_folds.h"

namespace fbt::mechanism {

namespace {

// One inner fold: the rows that its model is fitted on, and those it is judged by.
struct InnerFold {
  std::vector<std::size_t> seen;
  std::vector<std::size_t> held_out;
};

double accuracy_of(const LogisticRegression& model, const TrainingSet& training,
                   std::span<const std::size_t> rows) {
  const auto right = std::count_if(rows.begin(), rows.end(), [&](std::size_t row) {
    return model.predict(training.features.row(row)) == training.labels[row];
  });
  return static_cast<double>(right) / static_cast<double>(rows.size());
}

}  // namespace

double choose_strength(const TrainingSet& training, std::span<const int> inner_fold,
                       std::span<const double> strengths) {
  std::vector<InnerFold> folds(
      1 + static_cast<std::size_t>(*std::max_element(inner_fold.begin(), inner_fold.end())));
  for (std::size_t i = 0; i < training.rows.size(); ++i) {
    for (std::size_t fold = 0; fold < folds.size(); ++fold) {
      const bool held_out = static_cast<std::size_t>(inner_fold[i]) == fold;
      (held_out ? folds[fold].held_out : folds[fold].seen).push_back(training.rows[i]);
    }
  }
  std::vector<LogisticRegression> models;
  for (const InnerFold& fold : folds) {
    models.emplace_back(
        TrainingSet{training.features, training.labels, fold.seen, training.classes});
  }
  double best = strengths.front();
  double best_accuracy = -1;  // summed over folds
  for (const double strength : strengths) {
    double accuracy = 0;
    for (std::size_t fold = 0; fold < folds.size(); ++fold) {
      models[fold].fit(strength);
      accuracy += accuracy_of(models[fold], training, folds[fold].held_out);
    }
    if (accuracy <= best_accuracy) continue;
    best = strength;
    best_accuracy = accuracy;
    // Nothing is better than all right, and among equals the smallest counts.
    if (accuracy == static_cast<double>(folds.size())) break;
  }
  return best;
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
