#include "harness/train/optimizer.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"

namespace fbt::train {
namespace {

// The quintic's action on one singular value.
double iterate(double x) {
  for (int i = 0; i < 5; ++i) {
    x = 3.4445 * x - 4.7750 * x * x * x + 2.0315 * x * x * x * x * x;
  }
  return x;
}

TEST(Orthogonalise, ActsOnSingularValuesAlone) {
  // diag(3, 4): divided by its norm 5 it is diag(0.6, 0.8).
  const at::Tensor matrix = at::diag(at::tensor({3.0, 4.0}, at::kDouble));
  const at::Tensor result = orthogonalise(matrix);
  EXPECT_NEAR(result[0][0].item<double>(), iterate(0.6), 1e-6);
  EXPECT_NEAR(result[1][1].item<double>(), iterate(0.8), 1e-6);
  EXPECT_NEAR(result[0][1].item<double>(), 0, 1e-12);
}

// In bfloat16 (a loop of its own) as in float64, up to what rounding makes of it. Each of
// five steps multiplies the error of a small singular value by up to 3.4: for other
// numbers than these (see seed_each_test.cpp) it can be 0.12.
TEST(Orthogonalise, InBfloat16) {
  for (const auto& [rows, columns] : {std::pair{5, 9}, {9, 5}, {7, 7}, {200, 40}}) {
    const at::Tensor matrix = at::randn({rows, columns}).to(at::kBFloat16);
    const at::Tensor got = orthogonalise(matrix);
    EXPECT_EQ(got.scalar_type(), at::kBFloat16);
    const at::Tensor error = got.to(at::kDouble) - orthogonalise(matrix.to(at::kDouble));
    EXPECT_LT((error.norm() / std::sqrt(std::min(rows, columns))).item<double>(), 0.1)
        << rows << " x " << columns;
  }
}

TEST(Orthogonalise, BringsSingularValuesNearOne) {
  for (const auto& [rows, columns] : {std::pair{5, 9}, {9, 5}, {7, 7}}) {
    const at::Tensor matrix = at::randn({rows, columns}, at::kDouble);
    const at::Tensor result = orthogonalise(matrix);
    ASSERT_EQ(result.sizes(), matrix.sizes());
    // Same singular vectors, so U S V^T of the input gives them all: the small
    // Gram matrix of the result has eigenvalues near one.
    const at::Tensor gram = rows < columns ? result.mm(result.t()) : result.t().mm(result);
    EXPECT_GT(gram.trace().item<double>(), 0.4 * gram.size(0));
    EXPECT_LT(gram.trace().item<double>(), 1.5 * gram.size(0));
  }
}

// One NorMuon step worked by hand, rank one so that everything is a number:
// G = [3 4; 0 0], so m = 0.05 G, m / |m| = [0.6 0.8; 0 0] has singular value 1,
// O = c [0.6 0.8; 0 0] with c = iterate(1), v = 0.05 c^2 (0.36 + 0.64) / 2 = 0.025 c^2
// in row 0, N = O / (sqrt(0.025) c) = [0.6 0.8] / sqrt(0.025) with norm 1 / sqrt(0.025);
// the update is 0.2 lr sqrt(4) N / |N| = 0.4 lr [0.6 0.8].
TEST(NorMuon, OneStepByHand) {
  at::Tensor weight = at::tensor({1.0F, 2.0F, 3.0F, 4.0F}).view({2, 2});
  weight.set_requires_grad(true);
  weight.mutable_grad() = at::tensor({3.0F, 4.0F, 0.0F, 0.0F}).view({2, 2});
  OptimizerSettings settings;
  settings.matrix_lr = 0.1;
  settings.matrix_decay = 0.5;
  Optimizer optimizer({{"layer.weight", weight}}, settings);
  optimizer.step(1);
  const double keep = 1 - 0.1 * 0.5;
  const at::Tensor after = weight.detach();
  EXPECT_NEAR(after[0][0].item<double>(), keep * 1 - 0.4 * 0.1 * 0.6, 1e-5);
  EXPECT_NEAR(after[0][1].item<double>(), keep * 2 - 0.4 * 0.1 * 0.8, 1e-5);
  EXPECT_NEAR(after[1][0].item<double>(), keep * 3, 1e-5);
  EXPECT_NEAR(after[1][1].item<double>(), keep * 4, 1e-5);
}

// Rows whose updates have been larger are held back: after a step with unequal
// rows, a step with two orthogonal rows moves the fresh row further.
TEST(NorMuon, NormalisesByNeuron) {
  at::Tensor weight = at::zeros({2, 2});
  weight.set_requires_grad(true);
  OptimizerSettings settings;
  settings.matrix_momentum = 0;  // the momentum is the gradient
  settings.matrix_decay = 0;
  Optimizer optimizer({{"layer.weight", weight}}, settings);
  weight.mutable_grad() = at::tensor({1.0F, 0.0F, 0.0F, 0.0F}).view({2, 2});
  optimizer.step(1);
  const at::Tensor before = weight.detach().clone();
  weight.mutable_grad() = at::tensor({1.0F, 0.0F, 0.0F, 1.0F}).view({2, 2});
  optimizer.step(1);
  const at::Tensor moved = (weight.detach() - before).abs();
  // With q = iterate(1)^2 / 2 and r = iterate(1/sqrt(2))^2 / 2 as mean squares:
  // v0 = 0.95 * 0.05 q + 0.05 r, v1 = 0.05 r.
  const double q = std::pow(iterate(1), 2), r = std::pow(iterate(1 / std::sqrt(2)), 2);
  const double ratio = std::sqrt((0.95 * 0.05 * q + 0.05 * r) / (0.05 * r));
  EXPECT_NEAR(moved[1][1].item<double>() / moved[0][0].item<double>(), ratio, 1e-4);
  EXPECT_GT(ratio, 1.1);
}

// Two Adam steps by hand with gradients 2 and -1, b1 = 0.9, b2 = 0.95:
// m1 = 0.2, v1 = 0.2, step 1 moves by lr 2 / 2 = lr;
// m2 = 0.08, v2 = 0.24, m2 / 0.19 = 0.421053, v2 / 0.0975 = 2.461538,
// step 2 moves by lr 0.421053 / 1.568929 = 0.268370 lr.
TEST(Adam, TwoStepsByHand) {
  at::Tensor gain = at::ones({1});
  gain.set_requires_grad(true);
  OptimizerSettings settings;
  settings.adam_lr = 0.1;
  Optimizer optimizer({{"norm.weight", gain}}, settings);
  gain.mutable_grad() = at::full({1}, 2.0);
  optimizer.step(1);
  EXPECT_NEAR(gain.item<double>(), 0.9, 1e-6);
  gain.mutable_grad() = at::full({1}, -1.0);
  optimizer.step(0.5);  // half the learning rate
  EXPECT_NEAR(gain.item<double>(), 0.9 - 0.05 * 0.268370, 1e-6);
}

TEST(Optimizer, MatricesAreThoseOfTheLayersAndTheFeedback) {
  const at::Tensor matrix = at::zeros({2, 3}), gain = at::zeros({3});
  EXPECT_TRUE(is_matrix_parameter("model.layers.0.mlp.up_proj.weight", matrix));
  EXPECT_TRUE(is_matrix_parameter("model.feedback.state_proj.weight", matrix));
  EXPECT_FALSE(is_matrix_parameter("model.embed_tokens.weight", matrix));
  EXPECT_FALSE(is_matrix_parameter("model.norm.weight", gain));
}

TEST(Optimizer, RestoreNeedsEveryMoment) {
  const at::Tensor gain = at::ones({2});
  Optimizer optimizer({{"norm.weight", gain}}, {});
  EXPECT_THROW(optimizer.restore({{"momentum.norm.weight", at::ones({2})}}, 1), InputError);
  EXPECT_THROW(
      optimizer.restore(
          {{"momentum.norm.weight", at::ones({3})}, {"second.norm.weight", at::ones({2})}}, 1),
      InputError);
}

}  // namespace
}  // namespace fbt::train
