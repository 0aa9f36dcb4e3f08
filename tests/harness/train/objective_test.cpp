#include "harness/train/objective.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

#include "tests/harness/train/small_model.h"

namespace fbt::train {
namespace {

at::Tensor tokens() {
  return at::tensor({0, 3, 7, 1, 9, 4, 0, 5, 2, 8, 11, 6}, at::kLong).view({2, 6});
}
at::Tensor targets() {
  return at::tensor({3, 7, 1, 9, 4, 2, 5, 2, 8, 11, 6, 12}, at::kLong).view({2, 6});
}

double loss_of(const NamedTensors& weights, const ObjectiveOptions& options) {
  const c10::NoGradGuard no_grad;
  const Transformer model(small_config(), weights);
  return multi_pass_objective(model, tokens(), targets(), options).loss.item<double>();
}

// The gradient against central differences in float64, for some elements of
// every tensor, with three passes, prefixes, noise and z-loss all on. The
// cross-entropy itself is taken in float32, which bounds the agreement.
TEST(Objective, GradientEqualsFiniteDifferences) {
  const ObjectiveOptions options{
      .passes = 3, .prefix_share = 0.5, .jitter = 0.1, .z_loss = 0.01, .key = 4};
  NamedTensors weights = small_weights(at::kDouble);
  for (auto& [name, weight] : weights) weight.set_requires_grad(true);
  const Transformer model(small_config(), weights);
  multi_pass_objective(model, tokens(), targets(), options).loss.backward();

  const double step = 1e-3;
  for (auto& [name, weight] : weights) {
    ASSERT_TRUE(weight.grad().defined()) << name;
    const at::Tensor flat = weight.detach().view(-1);
    const std::int64_t stride = std::max<std::int64_t>(1, flat.numel() / 7);
    for (std::int64_t i = 0; i < flat.numel(); i += stride) {
      const double value = flat[i].item<double>();
      flat[i] = value + step;
      const double above = loss_of(weights, options);
      flat[i] = value - step;
      const double below = loss_of(weights, options);
      flat[i] = value;
      const double gradient = weight.grad().view(-1)[i].item<double>();
      EXPECT_NEAR(gradient, (above - below) / (2 * step), 5e-4 + 1e-3 * std::abs(gradient))
          << name << " element " << i;
    }
  }
}

// The gradient reaches pass 0 through the fed-back states: with the loss of the
// fused pass alone (the difference of objectives), W_U's and the layers' grads differ
// from those of a state held constant.
TEST(Objective, GradientFlowsThroughEarlierPasses) {
  NamedTensors weights = small_weights(at::kFloat);
  for (auto& [name, weight] : weights) weight.set_requires_grad(true);
  const Transformer model(small_config(), weights);
  const at::Tensor embeddings = model.embed(tokens());
  const at::Tensor plain = model.plain_positions(tokens());
  const auto fused_loss = [&](const at::Tensor& states) {
    return model.logits(model.pass(model.fused_pass_inputs(embeddings, states, plain)))
        .square()
        .mean();
  };
  const at::Tensor& layer = weights[1].second;
  fused_loss(model.pass(embeddings)).backward({}, /*retain_graph=*/true);
  const at::Tensor through = layer.grad().clone();
  layer.grad().zero_();
  fused_loss(model.pass(embeddings).detach()).backward({}, /*retain_graph=*/true);
  EXPECT_GT((through - layer.grad()).abs().max().item<double>(), 1e-6);
}

TEST(Objective, IsTheMeanOverPasses) {
  NamedTensors weights = small_weights(at::kFloat);
  const Transformer model(small_config(), weights);
  const Objective objective = multi_pass_objective(model, tokens(), targets(), {.passes = 3});
  ASSERT_EQ(objective.cross_entropy.size(), 3u);
  double mean = 0;
  for (int pass = 0; pass < 3; ++pass) {
    // The slow way: a whole run of that many feedback steps, one softmax a position.
    const at::Tensor probabilities = model.logits(model.states(tokens(), pass)).softmax(-1);
    double sum = 0;
    for (std::int64_t row = 0; row < 2; ++row) {
      for (std::int64_t t = 0; t < 6; ++t) {
        sum -=
            std::log(probabilities[row][t][targets()[row][t].item<std::int64_t>()].item<double>());
      }
    }
    EXPECT_NEAR(objective.cross_entropy[static_cast<std::size_t>(pass)].item<double>(), sum / 12,
                1e-5);
    mean += sum / 36;
  }
  EXPECT_NEAR(objective.loss.item<double>(), mean, 1e-5);
}

TEST(Objective, ZLossIsTheSquaredLogPartition) {
  const Transformer model(small_config(), small_weights(at::kFloat));
  const double without =
      multi_pass_objective(model, tokens(), targets(), {.passes = 1}).loss.item<double>();
  const double with = multi_pass_objective(model, tokens(), targets(), {.passes = 1, .z_loss = 0.5})
                          .loss.item<double>();
  const at::Tensor partition = model.logits(model.states(tokens(), 0)).exp().sum(-1).log();
  EXPECT_NEAR(with - without, 0.5 * partition.square().mean().item<double>(), 1e-4);
}

// Two documents in one row: whatever stands in the first, the second's inputs
// in fused passes are the same, because its BOS is plain and restarts the feedback.
TEST(Objective, NoFeedbackCrossesABos) {
  const Transformer model(small_config(), small_weights(at::kFloat));
  const at::Tensor one = at::tensor({0, 3, 7, 0, 9, 4}, at::kLong).view({1, 6});
  const at::Tensor plain = model.plain_positions(one);
  const at::Tensor embeddings = model.embed(one);
  at::Tensor states = at::randn({1, 6, 8});
  const at::Tensor inputs = model.fused_pass_inputs(embeddings, states, plain);
  states.narrow(1, 0, 3).fill_(100);  // the first document's states
  const at::Tensor changed = model.fused_pass_inputs(embeddings, states, plain);
  EXPECT_FALSE(at::allclose(inputs.narrow(1, 1, 2), changed.narrow(1, 1, 2)));
  EXPECT_TRUE(at::equal(inputs.narrow(1, 3, 3), changed.narrow(1, 3, 3)));
  EXPECT_TRUE(at::equal(inputs.select(1, 3), embeddings.select(1, 3)));
}

TEST(Objective, JitterAndPrefixesAreNamedByTheKey) {
  const NamedTensors weights = small_weights(at::kFloat);
  const ObjectiveOptions base{.passes = 2, .prefix_share = 0.5, .jitter = 0.1, .key = 1};
  ObjectiveOptions other = base;
  other.key = 2;
  EXPECT_EQ(loss_of(weights, base), loss_of(weights, base));
  EXPECT_NE(loss_of(weights, base), loss_of(weights, other));
}

}  // namespace
}  // namespace fbt::train
