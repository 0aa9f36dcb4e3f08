#include "harness/model/rms_norm.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "harness/model/row_kernels.h"

namespace fbt {
namespace {

constexpr double kEpsilon = 1e-6;

struct Case {
  at::ScalarType dtype;
  std::vector<std::int64_t> shape;
  double tolerance;  // relative to the largest element: of values and of gradients
};

// Values and both gradients against the formula in float64.
TEST(RmsNorm, EqualsTheFormula) {
  const Case cases[] = {
      {at::kFloat, {1, 1}, 1e-5},        {at::kFloat, {3, 7}, 1e-5},
      {at::kFloat, {2, 5, 64}, 1e-5},    {at::kFloat, {700, 48}, 1e-5},
      {at::kBFloat16, {2, 5, 33}, 0.02}, {at::kBFloat16, {600, 64}, 0.02},
      {at::kDouble, {2, 3, 5}, 1e-6},
  };
  for (const Case& c : cases) {
    const std::int64_t size = c.shape.back();
    at::Tensor x = (at::randn(c.shape) * 3).to(c.dtype);
    at::Tensor gain = (at::randn({size}) + 1).to(c.dtype);
    const at::Tensor slope = at::randn(c.shape).to(c.dtype);
    at::Tensor x_wide = x.to(at::kDouble), gain_wide = gain.to(at::kDouble);
    for (at::Tensor* leaf : {&x, &gain, &x_wide, &gain_wide}) leaf->set_requires_grad(true);

    const at::Tensor y = rms_norm(x, gain, kEpsilon);
    const at::Tensor expected = rms_norm_formula(x_wide, gain_wide, kEpsilon);
    y.backward(slope);
    expected.backward(slope.to(at::kDouble));
    const auto near = [&](const at::Tensor& got, const at::Tensor& want) {
      ASSERT_EQ(got.scalar_type(), c.dtype);
      EXPECT_LT((got.to(at::kDouble) - want).abs().max().item<double>(),
                c.tolerance * (1 + want.abs().max().item<double>()))
          << c.shape;
    };
    near(y, expected.detach());
    near(x.grad(), x_wide.grad());
    near(gain.grad(), gain_wide.grad());
  }
}

TEST(RmsNorm, TakesTransposedInput) {
  const at::Tensor x = at::randn({3, 4, 5}).transpose(0, 1);
  const at::Tensor gain = at::randn({5});
  EXPECT_TRUE(at::allclose(rms_norm(x, gain, kEpsilon), rms_norm_formula(x, gain, kEpsilon)));
}

TEST(RowKernels, RoundToNearestEvenAsLibTorchDoes) {
  std::vector<float> values = {0.0F,     -0.0F,  1.0F,     1.00390625F, 1.01171875F,
                               3.39e38F, 1e-40F, INFINITY, -INFINITY,   -2.7182818F};
  for (int i = 0; i < 1000; ++i) values.push_back(std::ldexp(0.7F + i, i % 60 - 30));
  const auto size = static_cast<std::int64_t>(values.size());
  std::vector<std::uint16_t> bits(values.size());
  round_to_bfloat16(values.data(), bits.data(), size);
  std::vector<float> back(values.size());
  widen(bits.data(), back.data(), size);
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(back[i], static_cast<float>(at::BFloat16(values[i]))) << values[i];
  }
  const float nan = NAN;
  round_to_bfloat16(&nan, bits.data(), 1);
  widen(bits.data(), back.data(), 1);
  EXPECT_TRUE(std::isnan(back[0]));
}

TEST(RowKernels, ScaledSumRoundsEveryOperation) {
  const at::Tensor a = at::randn({1001}).to(at::kBFloat16), b = at::randn({1001}).to(at::kBFloat16);
  const at::Tensor sum = at::empty_like(a);
  const auto bits = [](const at::Tensor& x) { return static_cast<std::uint16_t*>(x.data_ptr()); };
  const at::BFloat16 a_scale(3.4445F), b_scale(-0.7F);
  scaled_sum(bits(a), a_scale, bits(b), b_scale, bits(sum), a.numel());
  for (std::int64_t i = 0; i < a.numel(); ++i) {
    // Each operation on at::BFloat16 rounds.
    const at::BFloat16 expected =
        a[i].item<at::BFloat16>() * a_scale + b[i].item<at::BFloat16>() * b_scale;
    EXPECT_EQ(sum[i].item<float>(), static_cast<float>(expected)) << i;
  }
}

}  // namespace
}  // namespace fbt
