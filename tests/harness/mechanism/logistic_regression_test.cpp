#include "harness/mechanism/logistic_regression.h"

#include <gmock/gmock.h>

#include "scikit_learn.h"

namespace fbt::mechanism {
namespace {

TEST(LogisticRegression, AgreesWithScikitLearn) {
  ASSERT_EQ(scikit_learn_cases().size(), 3U);
  for (const ReferenceCase& c : scikit_learn_cases()) {
    const std::vector<std::size_t> rows = all_rows(c.labels.size());
    LogisticRegression model({c.features(), c.labels, rows, c.classes});
    for (const ReferenceFit& fit : c.fits) {
      SCOPED_TRACE(c.name + ", C = " + std::to_string(fit.c));
      ASSERT_TRUE(model.fit(fit.c, 1e-9));
      ASSERT_EQ(model.weights().size(), fit.weights.size());
      for (std::size_t i = 0; i < fit.weights.size(); ++i) {
        EXPECT_NEAR(model.weights()[i], fit.weights[i], 1e-6 * (1 + std::abs(fit.weights[i])));
      }
      // A softmax's intercepts are free up to a common shift.
      const bool softmax = c.classes > 2;
      const double shift = softmax ? model.intercepts()[0] - fit.intercepts[0] : 0;
      for (std::size_t k = 0; k < fit.intercepts.size(); ++k) {
        EXPECT_NEAR(model.intercepts()[k] - shift, fit.intercepts[k], 1e-6);
      }
      for (const std::size_t row : rows) {
        EXPECT_EQ(model.predict(c.features().row(row)), fit.predictions[row]) << row;
      }
    }
  }
}

TEST(LogisticRegression, PathEndsWhereAFreshFitDoes) {
  const ReferenceCase c = scikit_learn_cases()[0];
  const std::vector<std::size_t> rows = all_rows(c.labels.size());
  LogisticRegression path({c.features(), c.labels, rows, c.classes});
  for (const double strength : {1e-4, 1e-2, 1.0}) path.fit(strength, 1e-9);
  LogisticRegression fresh({c.features(), c.labels, rows, c.classes});
  fresh.fit(1.0, 1e-9);
  for (std::size_t i = 0; i < fresh.weights().size(); ++i) {
    EXPECT_NEAR(path.weights()[i], fresh.weights()[i], 1e-5);
  }
}

// Float32 rounding of a constant must not be scaled up into a signal.
TEST(LogisticRegression, ConstantFeaturesSayNothing) {
  std::vector<float> values;
  std::vector<int> labels;
  for (int i = 0; i < 40; ++i) {
    labels.push_back(i % 4 == 0 ? 1 : 0);
    values.push_back(3.0F + (labels.back() == 1 ? 2.4e-7F : 0.0F));
    values.push_back(0.0F);
  }
  const FeatureView features{values, 2};
  const std::vector<std::size_t> rows = all_rows(labels.size());
  LogisticRegression model({features, labels, rows, 2});
  ASSERT_TRUE(model.fit(10));
  for (const std::size_t row : rows) EXPECT_EQ(model.predict(features.row(row)), 0);
  EXPECT_NEAR(model.intercepts()[0], std::log(10.0 / 30.0), 1e-3);
}

// Training on some rows only: the others' values do not matter.
TEST(LogisticRegression, SeesItsRowsOnly) {
  ReferenceCase c = scikit_learn_cases()[0];
  const std::vector<std::size_t> rows = all_rows(60);
  LogisticRegression before({c.features(), c.labels, rows, 2});
  before.fit(1);
  for (std::size_t i = 60 * c.columns; i < c.values.size(); ++i) c.values[i] *= -7;
  LogisticRegression after({c.features(), c.labels, rows, 2});
  after.fit(1);
  EXPECT_THAT(after.weights(), ::testing::ElementsAreArray(before.weights()));
}

}  // namespace
}  // namespace fbt::mechanism
