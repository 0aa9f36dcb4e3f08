#include "results/statistics/group_mean.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "results/statistics/interval.h"

namespace fbt::results {
namespace {

TEST(MeanScore, IsMeanAndStandardError) {
  // Deviations of ±0.5 from 0.5: variance 1/3 of four values, error sqrt(1/12).
  const MeanScore score = mean_score(std::vector<double>{1, 0, 0, 1}, {});
  EXPECT_DOUBLE_EQ(score.value, 0.5);
  EXPECT_DOUBLE_EQ(score.standard_error, std::sqrt(1.0 / 12));
  EXPECT_EQ(score.documents, 4);
  EXPECT_EQ(mean_score(std::vector<double>{1}, {}).standard_error, 0);
  EXPECT_EQ(mean_score({}, {}).documents, 0);
  EXPECT_EQ(mean_score({}, {}).standard_error, 0);
}

TEST(GroupMean, IsPlainOrWeightedBySize) {
  const std::vector<MeanScore> members = {{0.5, 0.1, 10}, {0.8, 0.2, 30}};
  const MeanScore plain = plain_mean(members);
  EXPECT_DOUBLE_EQ(plain.value, 0.65);
  EXPECT_DOUBLE_EQ(plain.standard_error, std::sqrt(0.01 + 0.04) / 2);
  EXPECT_EQ(plain.documents, 40);
  const MeanScore weighted = size_weighted_mean(members);
  EXPECT_DOUBLE_EQ(weighted.value, (10 * 0.5 + 30 * 0.8) / 40);
  EXPECT_EQ(weighted.documents, 40);
  // The residuals of the two members, 10 (0.5 - 0.725) and 30 (0.8 - 0.725), are
  // -2.25 and 2.25; with the factor 2 / (2 - 1) over 40 documents:
  EXPECT_DOUBLE_EQ(weighted.standard_error, std::sqrt(2 * 2 * 2.25 * 2.25) / 40);
  // Pooled: (9 · 10 · 0.01 + 29 · 30 · 0.04) / (40 - 2), over 40.
  EXPECT_DOUBLE_EQ(pooled_standard_error(members), std::sqrt((0.9 + 34.8) / 38 / 40));
}

// The error from the members' means is that of all documents with the members as clusters.
TEST(GroupMean, WeightedErrorIsClusteredByMember) {
  std::vector<double> all;
  std::vector<std::string> clusters;
  std::vector<MeanScore> members;
  for (int member = 0; member < 7; ++member) {
    std::vector<double> values;
    for (int i = 0; i < 5 + 9 * member; ++i) values.push_back((i * i + member) % (member + 2) == 0);
    members.push_back(mean_score(values, {}));
    all.insert(all.end(), values.begin(), values.end());
    clusters.insert(clusters.end(), values.size(), std::to_string(member));
  }
  const MeanScore weighted = size_weighted_mean(members);
  EXPECT_NEAR(weighted.value, mean(all), 1e-12);
  EXPECT_NEAR(weighted.standard_error, clustered_standard_error(all, clusters), 1e-12);
}

TEST(GroupMean, OfOneMemberIsThatMember) {
  const std::vector<MeanScore> one = {{0.25, 0.125, 8}};
  EXPECT_EQ(size_weighted_mean(one).standard_error, 0.125);
  EXPECT_EQ(plain_mean(one).standard_error, 0.125);
  EXPECT_DOUBLE_EQ(pooled_standard_error(one), 0.125);
}

TEST(GroupMean, OfMembersWithoutOrWithSingleDocuments) {
  const std::vector<MeanScore> single = {{1, 0, 1}, {0, 0, 1}};
  EXPECT_EQ(size_weighted_mean(single).value, 0.5);
  EXPECT_EQ(pooled_standard_error(single), 0);
  const std::vector<MeanScore> empty = {{0, 0, 0}, {0, 0, 0}};
  EXPECT_EQ(size_weighted_mean(empty).value, 0);
  EXPECT_EQ(size_weighted_mean(empty).standard_error, 0);
}

// Pooling equal-sized parts of one sample with equal means gives nearly the
// sample's own error.
TEST(GroupMean, PooledErrorFollowsTheWholeSample) {
  std::vector<double> all;
  std::vector<MeanScore> members;
  for (int member = 0; member < 3; ++member) {
    std::vector<double> values;
    for (int i = 0; i < 200; ++i) values.push_back(i % 2);
    all.insert(all.end(), values.begin(), values.end());
    members.push_back(mean_score(values, {}));
  }
  EXPECT_NEAR(pooled_standard_error(members), mean_score(all, {}).standard_error, 1e-4);
}

}  // namespace
}  // namespace fbt::results
