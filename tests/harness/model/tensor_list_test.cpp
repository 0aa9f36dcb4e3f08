#include "harness/model/tensor_list.h"

#include <gtest/gtest.h>

#include "tests/support/paths.h"

namespace fbt {
namespace {

TEST(TensorList, CountsThePapersSize) {
  const ModelConfig config = read_model_config(testing::source_dir() / "configs/fbt-1b.json");
  const ParameterCounts counts = count_parameters(config);
  // By hand: two 1536 x 1536 matrices and a gain; 100352 x 1536 embeddings;
  // per layer 1536 * (16 + 2 * 8) * 96 + 16 * 96 * 1536 + 16 * 1536 attention weights.
  EXPECT_EQ(counts.feedback, 2 * 1536 * 1536 + 1536);
  EXPECT_EQ(counts.embedding, 100352 * 1536);
  EXPECT_EQ(counts.attention, 24 * (1536 * 32 * 96 + 1536 * 1536 + 16 * 1536));
  EXPECT_EQ(counts.mlp, 24 * 3 * 1536 * 6656);
  EXPECT_EQ(counts.norm, 24 * (4 * 1536 + 2 * 96) + 1536);
  EXPECT_EQ(counts.total(), 1065573888);  // "about 1.06 B"
  EXPECT_LT(counts.feedback_share(), 0.01);
}

TEST(TensorList, LeavesFeedbackOutOfStandardModels) {
  ModelConfig config = read_model_config(testing::source_dir() / "configs/fbt-1b.json");
  const std::size_t with = tensor_list(config).size();
  config.latent_feedback = false;
  EXPECT_EQ(tensor_list(config).size(), with - 3);
  EXPECT_EQ(count_parameters(config).feedback, 0);
}

}  // namespace
}  // namespace fbt
