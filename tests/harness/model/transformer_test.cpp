#include "harness/model/transformer.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/harness/model/golden_model.h"

namespace fbt {
namespace {

using testing::distance;
using testing::golden_outputs;
using testing::to_tensor;

// expected.json has seven decimals.
constexpr double kTolerance = 1e-6;
constexpr double kFloatTolerance = 1e-4;

Transformer golden_model(at::ScalarType dtype) {
  const Checkpoint checkpoint = open_checkpoint(testing::golden_folder().string());
  return {checkpoint.config, load_all(*open_weights(checkpoint), checkpoint.config, dtype)};
}

at::Tensor token_tensor(const char* key) {
  return to_tensor(golden_outputs().at(key)).to(at::kLong).unsqueeze(0);
}

TEST(Transformer, GoldenPasses) {
  FBT_REQUIRE_SHARED("golden/model/expected.json");
  const Transformer model = golden_model(at::kDouble);
  const at::Tensor tokens = token_tensor("tokens");
  at::Tensor before;
  for (const auto& expected : golden_outputs().at("passes")) {
    const int steps = expected.at("feedback_steps").get<int>();
    const at::Tensor states = model.states(tokens, steps);  // [1,T,D]
    EXPECT_LT(distance(model.logits(states)[0], to_tensor(expected.at("logits"))), kTolerance)
        << steps;
    EXPECT_LT(distance(states[0][-1], to_tensor(expected.at("states_last"))), kTolerance);
    if (steps > 0 && !expected.at("state_delta").is_null()) {
      const double delta = (states - before)[0].norm(2, -1).mean().item<double>();
      EXPECT_NEAR(delta, expected.at("state_delta").get<double>(), kTolerance);
    }
    before = states;
  }
}

// The golden model's feedback loop amplifies a deviation about tenfold a pass:
// float32 rounding (3e-5 after pass 0) passes 1e-4 with the first fused pass.
// That is why the engine computes float32 checkpoints in float64.
TEST(Transformer, GoldenPlainPassInFloat32) {
  FBT_REQUIRE_SHARED("golden/model/expected.json");
  const Transformer model = golden_model(at::kFloat);
  const at::Tensor logits = model.logits(model.states(token_tensor("tokens"), 0))[0];
  EXPECT_LT(distance(logits, to_tensor(golden_outputs().at("passes")[0].at("logits"))),
            kFloatTolerance);
}

TEST(Transformer, GoldenInnerBosStaysPlain) {
  FBT_REQUIRE_SHARED("golden/model/expected.json");
  const Transformer model = golden_model(at::kDouble);
  const at::Tensor logits = model.logits(model.states(token_tensor("tokens_with_inner_bos"), 2))[0];
  EXPECT_LT(distance(logits, to_tensor(golden_outputs().at("inner_bos_two_steps_logits"))),
            kTolerance);
}

TEST(Transformer, GoldenPlainPrefix) {
  FBT_REQUIRE_SHARED("golden/model/expected.json");
  const Transformer model = golden_model(at::kDouble);
  const at::Tensor logits = model.logits(model.states(token_tensor("tokens"), 2, 8))[0];
  EXPECT_LT(distance(logits, to_tensor(golden_outputs().at("prefix_plain_to_8_two_steps_logits"))),
            kTolerance);
}

TEST(Transformer, GoldenResidualStream) {
  FBT_REQUIRE_SHARED("golden/model/expected.json");
  const Transformer model = golden_model(at::kDouble);
  std::vector<at::Tensor> stream;
  model.pass(model.embed(token_tensor("tokens")), &stream);
  const at::Tensor expected = to_tensor(golden_outputs().at("residual_stream_last_position"));
  ASSERT_EQ(static_cast<std::int64_t>(stream.size()), expected.size(0));
  for (std::size_t i = 0; i < stream.size(); ++i) {
    EXPECT_LT(distance(stream[i][0][-1], expected[static_cast<std::int64_t>(i)]), kTolerance);
  }
}

TEST(Transformer, GradientsReachEveryParameter) {
  FBT_REQUIRE_SHARED("golden/model/expected.json");
  const Transformer model = golden_model(at::kDouble);
  for (const auto& [name, tensor] : model.parameters()) tensor.set_requires_grad(true);
  model.logits(model.states(token_tensor("tokens"), 1)).square().mean().backward();
  for (const auto& [name, tensor] : model.parameters()) {
    ASSERT_TRUE(tensor.grad().defined()) << name;
    EXPECT_GT(tensor.grad().abs().sum().item<double>(), 0) << name;
  }
}

TEST(Transformer, RefusesFeedbackWithoutItsWeights) {
  FBT_REQUIRE_SHARED("golden/model/config.json");
  ModelConfig config = read_model_config(testing::golden_folder() / "config.json");
  config.latent_feedback = false;
  const Transformer model(config, load_all(*random_weights(1), config, at::kFloat));
  const at::Tensor tokens = at::zeros({1, 3}, at::kLong);
  EXPECT_NO_THROW(model.states(tokens, 0));
  EXPECT_THROW(model.states(tokens, 1), InputError);
}

}  // namespace
}  // namespace fbt
