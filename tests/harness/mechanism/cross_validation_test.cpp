#include "harness/mechanism/cross_validation.h"

#include <gmock/gmock.h>

#include "harness/mechanism/group_folds.h"
#include "scikit_learn.h"
#include "tasks/synthetic/draw.h"

namespace fbt::mechanism {
namespace {

TEST(ChooseStrength, AgreesWithScikitLearnsGridSearch) {
  const CrossValidationOptions options;
  for (const ReferenceCase& c : scikit_learn_cases()) {
    const std::vector<std::size_t> rows = all_rows(c.labels.size());
    EXPECT_EQ(
        choose_strength({c.features(), c.labels, rows, c.classes}, c.inner_fold, options.strengths),
        c.best_c)
        << c.name;
  }
}

struct Samples {
  std::vector<float> values;
  std::vector<int> labels;
  std::vector<int> groups;
};

// 30 groups of 8; the label shows in column 0 as strongly as `signal` says, and
// every group has a column that names it.
Samples make_samples(double signal) {
  synthetic::Draw draw(5);
  Samples samples;
  for (int i = 0; i < 240; ++i) {
    const int group = i / 8;
    samples.labels.push_back(draw.between(0, 1));
    samples.groups.push_back(group);
    const double noise = draw.between(-1000, 1000) / 1000.0;
    samples.values.push_back(static_cast<float>(noise + signal * (2 * samples.labels.back() - 1)));
    for (int column = 0; column < 30; ++column) samples.values.push_back(column == group);
  }
  return samples;
}

double accuracy(const HeldOut& held_out, const std::vector<int>& labels) {
  double right = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) right += held_out.predictions[i] == labels[i];
  return right / static_cast<double>(labels.size());
}

TEST(CrossValidate, FindsWhatIsThereAndNothingInShuffledLabels) {
  const Samples samples = make_samples(1.2);
  const FeatureView features{samples.values, 31};
  const HeldOut real = cross_validate(features, samples.labels, samples.groups, 2);
  EXPECT_EQ(accuracy(real, samples.labels), 1.0);
  EXPECT_EQ(real.strengths.size(), 4U);
  const std::vector<int> shuffled = shuffle_within_groups(samples.labels, samples.groups, 2);
  EXPECT_NEAR(accuracy(cross_validate(features, shuffled, samples.groups, 2), shuffled), 0.5, 0.12);
}

// A label that belongs to the group cannot be learnt from other groups: leaking
// a group over the folds would show here as an accuracy of 1.
TEST(CrossValidate, DoesNotLeakGroups) {
  Samples samples = make_samples(0);
  synthetic::Draw draw(8);
  for (int group = 0; group < 30; ++group) {
    const int label = draw.between(0, 1);
    for (int i = 0; i < 8; ++i) samples.labels[static_cast<std::size_t>(group * 8 + i)] = label;
  }
  const FeatureView features{samples.values, 31};
  const HeldOut held_out = cross_validate(features, samples.labels, samples.groups, 2);
  EXPECT_LT(accuracy(held_out, samples.labels), 0.7);
}

}  // namespace
}  // namespace fbt::mechanism
