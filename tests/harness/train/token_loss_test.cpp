#include "harness/train/token_loss.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

namespace fbt::train {
namespace {

// Values and gradients against the formula in float64.
TEST(TokenLoss, EqualsTheFormula) {
  const struct {
    at::ScalarType dtype;
    std::vector<std::int64_t> shape;
    double tolerance;
  } cases[] = {{at::kFloat, {1, 1, 2}, 1e-5},
               {at::kFloat, {2, 33, 7}, 1e-5},
               {at::kFloat, {3, 5, 300}, 1e-5},
               {at::kBFloat16, {2, 9, 61}, 5e-3},
               {at::kDouble, {1, 3, 4}, 1e-12}};
  for (const auto& c : cases) {
    at::Tensor logits = (at::randn(c.shape) * 4).to(c.dtype);
    at::Tensor wide = logits.to(at::kDouble);
    const at::Tensor targets = at::randint(c.shape[2], {c.shape[0], c.shape[1]}, at::kLong);
    logits.set_requires_grad(true);
    wide.set_requires_grad(true);
    const TokenLosses got = token_losses(logits, targets);
    const TokenLosses want = token_losses_formula(wide, targets);
    const at::Tensor slope = at::rand_like(want.cross_entropy);
    const auto total = [&](const TokenLosses& losses) {
      return (losses.cross_entropy * slope + losses.log_partition.square() * 0.3).sum();
    };
    total(got).backward();
    total(want).backward();
    EXPECT_TRUE(at::allclose(got.cross_entropy.to(at::kDouble), want.cross_entropy, 0, 5e-5));
    EXPECT_TRUE(at::allclose(got.log_partition.to(at::kDouble), want.log_partition, 0, 5e-5));
    EXPECT_EQ(logits.grad().scalar_type(), c.dtype);
    EXPECT_TRUE(at::allclose(logits.grad().to(at::kDouble), wide.grad(), c.tolerance, c.tolerance))
        << c.dtype;
  }
}

TEST(TokenLoss, StandsFarLogits) {
  at::Tensor logits = at::tensor({1000.0F, -1000.0F, -1e30F, 0.0F}).view({2, 2});
  logits.set_requires_grad(true);
  const TokenLosses losses = token_losses(logits, at::tensor({1, 1}, at::kLong));
  EXPECT_EQ(losses.cross_entropy[0].item<float>(), 2000);
  EXPECT_EQ(losses.cross_entropy[1].item<float>(), 0);
  losses.cross_entropy.sum().backward();
  EXPECT_TRUE(
      at::allclose(logits.grad(), at::tensor({1.0F, -1.0F, 0.0F, 0.0F}).view({2, 2}), 0, 1e-6));
}

}  // namespace
}  // namespace fbt::train
