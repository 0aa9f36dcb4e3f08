#pragma once

// L2-regularised logistic regression on standardized features, as
// scikit-learn's LogisticRegression(penalty="l2") after a StandardScaler: the
// minimum of ‖w‖²/2 + C · Σ loss, intercepts not penalised. Two classes have one
// weight vector, more have one each (softmax).

#include <cstddef>
#include <span>
#include <vector>

#include "harness/mechanism/features.h"

namespace fbt::mechanism {

// The samples a model is fitted on: `rows` of all `labels` (0 … classes - 1).
struct TrainingSet {
  FeatureView features;
  std::span<const int> labels;
  std::span<const std::size_t> rows;
  int classes = 2;
};

class LogisticRegression {
 public:
  // Standardizes by the training rows and starts from zero weights.
  // Precondition: at least one row.
  explicit LogisticRegression(const TrainingSet& training);

  // Fits at inverse strength C from the weights of the last fit, so that a path
  // of growing C costs little more than its last point. `tolerance` is of the
  // mean loss's gradient. Returns whether it was reached.
  bool fit(double c, double tolerance = 1e-5);

  // The class of a row of unstandardized features.
  int predict(std::span<const float> row) const;

  // Of standardized features; [classes or 1] x columns, and one intercept each.
  std::span<const double> weights() const;
  std::span<const double> intercepts() const;

 private:
  struct Scores;
  double objective(double penalty, std::span<const double> x, std::span<double> gradient) const;
  Scores raw_weights(std::span<const double> x) const;

  TrainingSet training_;
  std::size_t outputs_;  // 1 for two classes, else the classes
  Standardization standardization_;
  std::vector<double> parameters_;  // weights [outputs x columns], then intercepts [outputs]
};

}  // namespace fbt::mechanism
