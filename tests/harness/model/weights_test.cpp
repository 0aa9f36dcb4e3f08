#include "harness/model/weights.h"

#include <fstream>

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "tests/support/paths.h"

namespace fbt {
namespace {

ModelConfig small_config() {
  ModelConfig config;
  config.vocab_size = 50;
  config.hidden_size = 16;
  config.intermediate_size = 24;
  config.num_hidden_layers = 2;
  config.num_attention_heads = 2;
  config.num_key_value_heads = 1;
  config.head_dim = 8;
  config.max_position_embeddings = 32;
  config.sliding_window = 4;
  config.full_attention_interval = 2;
  config.residual_multiplier = 0.5;
  config.latent_feedback = true;
  return config;
}

TEST(RandomWeights, DependOnSeedAndNameOnly) {
  const TensorSpec spec{"a", {300, 100}, TensorGroup::kMlp};
  const TensorSpec other{"b", {300, 100}, TensorGroup::kMlp};
  const at::Tensor first = random_weights(1)->load(spec, at::kFloat);
  EXPECT_TRUE(first.equal(random_weights(1)->load(spec, at::kFloat)));
  EXPECT_FALSE(first.equal(random_weights(2)->load(spec, at::kFloat)));
  EXPECT_FALSE(first.equal(random_weights(1)->load(other, at::kFloat)));
  EXPECT_TRUE(first.to(at::kBFloat16).equal(random_weights(1)->load(spec, at::kBFloat16)));
}

TEST(RandomWeights, HaveTheScaleTheHeaderSays) {
  const at::Tensor matrix =
      random_weights(3)->load({"a", {1000, 100}, TensorGroup::kMlp}, at::kFloat);
  EXPECT_NEAR(matrix.mean().item<double>(), 0, 0.002);
  EXPECT_NEAR(matrix.std().item<double>(), 0.1, 0.002);
  const at::Tensor gain = random_weights(3)->load({"n", {8}, TensorGroup::kNorm}, at::kFloat);
  EXPECT_TRUE(gain.equal(at::ones({8})));
}

class SavedCheckpoint : public ::testing::TestWithParam<at::ScalarType> {};

TEST_P(SavedCheckpoint, ReadsBackWhatWasSaved) {
  const testing::TemporaryFolder folder;
  const ModelConfig config = small_config();
  const NamedTensors tensors = load_all(*random_weights(9), config, GetParam());
  CheckpointFacts facts;
  facts.name = "saved";
  facts.train_tokens = 12345;
  facts.family = Family::kFullBandwidth;
  save_checkpoint(folder.path() / "new", config, facts, tensors);

  const Checkpoint checkpoint = open_checkpoint((folder.path() / "new").string());
  EXPECT_EQ(checkpoint.facts.name, "saved");
  EXPECT_EQ(checkpoint.facts.train_tokens, 12345);
  const NamedTensors loaded = load_all(*open_weights(checkpoint), checkpoint.config, at::kFloat);
  ASSERT_EQ(loaded.size(), tensors.size());
  for (std::size_t i = 0; i < loaded.size(); ++i) {
    EXPECT_EQ(loaded[i].first, tensors[i].first);
    EXPECT_TRUE(loaded[i].second.equal(tensors[i].second.to(at::kFloat))) << loaded[i].first;
  }
}

INSTANTIATE_TEST_SUITE_P(Dtypes, SavedCheckpoint,
                         ::testing::Values(at::kFloat, at::kBFloat16, at::kHalf));

TEST(SavedCheckpoint, RefusesOtherTensorsAndDamagedFiles) {
  const testing::TemporaryFolder folder;
  const ModelConfig config = small_config();
  NamedTensors tensors = load_all(*random_weights(9), config, at::kFloat);
  save_checkpoint(folder.path(), config, {}, tensors);
  tensors.pop_back();
  EXPECT_THROW(save_checkpoint(folder.path(), config, {}, tensors), InputError);

  // A configuration that wants other shapes than the file has.
  ModelConfig wider = config;
  wider.intermediate_size = 32;
  write_file_atomically(folder.path() / "config.json", model_config_text(wider));
  try {
    open_weights(open_checkpoint(folder.path().string()));
    ADD_FAILURE() << "shapes that disagree with config.json were accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("mlp.gate_proj.weight has shape [24, 16]"));
  }

  write_file_atomically(folder.path() / "config.json", model_config_text(config));
  const auto weights = folder.path() / "model.safetensors";
  std::filesystem::resize_file(weights, std::filesystem::file_size(weights) - 10);
  EXPECT_THROW(open_weights(open_checkpoint(folder.path().string())), InputError);
}

}  // namespace
}  // namespace fbt
