#pragma once

// What scikit-learn makes of stored features: scikit_learn.json.

#include <string>
#include <vector>

#include "harness/mechanism/features.h"

namespace fbt::mechanism {

struct ReferenceFit {
  double c = 0;
  std::vector<double> weights;  // [outputs x columns]
  std::vector<double> intercepts;
  std::vector<int> predictions;
};

struct ReferenceCase {
  std::string name;
  int classes = 0;
  std::size_t columns = 0;
  std::vector<float> values;
  std::vector<int> labels;
  std::vector<ReferenceFit> fits;
  std::vector<int> inner_fold;
  double best_c = 0;  // by GridSearchCV over 1e-4, 1e-3, 1e-2, 0.1, 1, 10

  FeatureView features() const { return {values, columns}; }
};

std::vector<ReferenceCase> scikit_learn_cases();

// 0 … n - 1.
std::vector<std::size_t> all_rows(std::size_t n);

}  // namespace fbt::mechanism
