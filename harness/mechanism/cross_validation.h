#pragma once

// Out-of-fold predictions of a probe whose strength is chosen inside the
// training folds only.

#include <cstdint>
#include <span>
#include <vector>

#include "harness/mechanism/features.h"
#include "harness/mechanism/logistic_regression.h"

namespace fbt::mechanism {

struct CrossValidationOptions {
  int folds = 4;
  int inner_folds = 3;                                             // within each training fold
  std::vector<double> strengths = {1e-4, 1e-3, 1e-2, 0.1, 1, 10};  // C, ascending
  std::uint64_t seed = 1;
};

// The C with the highest mean accuracy over the inner folds; among equals the
// smallest. `inner_fold` is the inner fold of each of the training rows.
double choose_strength(const TrainingSet& training, std::span<const int> inner_fold,
                       std::span<const double> strengths);

struct HeldOut {
  std::vector<int> predictions;   // one a sample, by the model that did not see its group
  std::vector<double> strengths;  // chosen, one a fold
};

// Precondition: features, labels and groups are of the same length. Throws
// InputError for too few groups.
HeldOut cross_validate(const FeatureView& features, std::span<const int> labels,
                       std::span<const int> groups, int classes,
                       const CrossValidationOptions& options = {});

}  // namespace fbt::mechanism
