// What stands around the projections (attention with its way in and out, SwiGLU, the
// residual stream): values and gradients of the CPU's loops against the formulas in
// float64.

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <functional>

#include "harness/model/causal_attention.h"
#include "harness/model/head_gate.h"
#include "harness/model/head_rotation.h"
#include "harness/model/residual_norm.h"
#include "harness/model/rms_norm.h"
#include "harness/model/swiglu.h"

namespace fbt {
namespace {

using Operation = std::function<at::Tensor(const std::vector<at::Tensor>&)>;

void expect_equal(const Operation& loops, const Operation& formula,
                  const std::vector<std::vector<std::int64_t>>& shapes) {
  const struct {
    at::ScalarType dtype;
    double tolerance;
  } dtypes[] = {{at::kFloat, 1e-5}, {at::kBFloat16, 0.03}, {at::kDouble, 1e-12}};
  for (const auto& row : dtypes) {
    const at::ScalarType dtype = row.dtype;
    const double tolerance = row.tolerance;
    std::vector<at::Tensor> inputs, wide;
    for (const auto& shape : shapes) {
      inputs.push_back(at::randn(shape).to(dtype));
      wide.push_back(inputs.back().to(at::kDouble));
      inputs.back().set_requires_grad(true);
      wide.back().set_requires_grad(true);
    }
    const at::Tensor got = loops(inputs), want = formula(wide);
    const at::Tensor slope = at::randn(want.sizes()).to(dtype);
    got.backward(slope);
    want.backward(slope.to(at::kDouble));
    const auto near = [&](const at::Tensor& a, const at::Tensor& b) {
      const double error = (a.to(at::kDouble) - b).abs().max().item<double>();
      EXPECT_LT(error, tolerance * (1 + b.abs().max().item<double>())) << dtype << ' ' << shapes[0];
    };
    EXPECT_EQ(got.scalar_type(), dtype);
    near(got, want);
    for (std::size_t i = 0; i < inputs.size(); ++i) near(inputs[i].grad(), wide[i].grad());
  }
}

TEST(Swiglu, EqualsTheFormula) {
  for (const auto& shape : std::vector<std::vector<std::int64_t>>{{1}, {3, 5}, {2, 70, 33}}) {
    expect_equal([](const auto& in) { return swiglu(in[0], in[1]); },
                 [](const auto& in) { return swiglu_formula(in[0], in[1]); }, {shape, shape});
  }
}

// silu(1) 2 = 2 / (1 + exp(-1)).
TEST(Swiglu, HandWorked) {
  const at::Tensor y = swiglu(at::tensor({1.0F, -100.0F}), at::tensor({2.0F, 3.0F}));
  EXPECT_NEAR(y[0].item<float>(), 1.4621172, 1e-6);
  EXPECT_NEAR(y[1].item<float>(), 0, 1e-6);
}

TEST(RotatedHeads, EqualsTheFormula) {
  const at::Tensor angle = at::rand({6, 4}, at::kDouble) * 10;
  for (const auto& shape : std::vector<std::vector<std::int64_t>>{{1, 6, 8}, {2, 6, 24}}) {
    expect_equal(
        [&](const auto& in) { return rotated_heads(in[0], in[1], 1e-6, angle.cos(), angle.sin()); },
        [&](const auto& in) {
          return rotated_heads_formula(in[0], in[1], 1e-6, angle.cos(), angle.sin());
        },
        {shape, {8}});
  }
}

// Two heads at one position, each of mean square 1, turned by a quarter:
// (1, 1 | 1, -1) to (-1, 1 | 1, 1).
TEST(RotatedHeads, HandWorked) {
  const at::Tensor x = at::tensor({1.0F, 1.0F, 1.0F, -1.0F, -1.0F, 1.0F, -1.0F, -1.0F});
  const at::Tensor gain = at::tensor({2.0F, 3.0F, 4.0F, 5.0F});
  const at::Tensor y =
      rotated_heads(x.view({1, 1, 8}), gain, 0, at::zeros({1, 2}), at::ones({1, 2}));
  const at::Tensor expected = at::tensor({-4.0F, 5.0F, 2.0F, 3.0F, 4.0F, 5.0F, -2.0F, 3.0F});
  EXPECT_TRUE(at::equal(y, expected.view({1, 2, 1, 4})));
}

TEST(GatedHeads, EqualsTheFormula) {
  for (const auto& [heads, length] : {std::pair{1, 1}, {3, 5}, {2, 130}}) {
    expect_equal([](const auto& in) { return gated_heads(in[0], in[1]); },
                 [](const auto& in) { return gated_heads_formula(in[0], in[1]); },
                 {{2, heads, length, 4}, {2, length, heads}});
  }
}

// One sequence, two heads, two positions, one number each.
TEST(GatedHeads, HandWorked) {
  const at::Tensor mixed = at::tensor({1.0F, 2.0F, 3.0F, 4.0F}).view({1, 2, 2, 1});
  const at::Tensor gate = at::tensor({10.0F, 100.0F, 0.5F, 0.25F}).view({1, 2, 2});
  EXPECT_TRUE(
      at::equal(gated_heads(mixed, gate), at::tensor({10.0F, 300.0F, 1.0F, 1.0F}).view({1, 2, 2})));
}

// The last layer's stream ends in its norm, all others go on: both are in the sum.
at::Tensor joined(const ResidualNorm& results, bool stream_goes_on) {
  return stream_goes_on ? at::cat({results.hidden, results.normed}, -1) : results.normed;
}

TEST(ResidualNorm, EqualsTheFormula) {
  const std::vector<std::int64_t> shape = {2, 140, 24};
  for (const bool goes_on : {false, true}) {
    expect_equal(
        [&](const auto& in) {
          return joined(residual_norm(in[0], in[1], in[2], 0.3, in[3], 1e-6), goes_on);
        },
        [&](const auto& in) {
          return joined(residual_norm_formula(in[0], in[1], in[2], 0.3, in[3], 1e-6), goes_on);
        },
        {shape, shape, {24}, {24}});
  }
}

// In bfloat16 it rounds where separate operations do, to the last bit, both ways.
TEST(ResidualNorm, RoundsAsSeparateOperations) {
  const double multiplier = 0.349609375;  // a bfloat16 number
  const at::Tensor slope = at::randn({2, 140, 64}).to(at::kBFloat16);
  const std::vector<at::Tensor> values = {at::randn({2, 140, 32}), at::randn({2, 140, 32}),
                                          at::randn({32}), at::randn({32})};
  std::vector<at::Tensor> one, other;
  for (const at::Tensor& value : values) {
    one.push_back(value.to(at::kBFloat16).set_requires_grad(true));
    other.push_back(value.to(at::kBFloat16).set_requires_grad(true));
  }
  const at::Tensor together =
      joined(residual_norm(one[0], one[1], one[2], multiplier, one[3], 1e-6), true);
  const at::Tensor hidden =
      (other[0].to(at::kFloat) + rms_norm(other[1], other[2], 1e-6).to(at::kFloat) * multiplier)
          .to(at::kBFloat16);
  const at::Tensor apart = joined({hidden, rms_norm(hidden, other[3], 1e-6)}, true);
  EXPECT_TRUE(at::equal(together, apart));
  together.backward(slope);
  apart.backward(slope);
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_TRUE(at::equal(one[i].grad(), other[i].grad())) << i;
  }
}

TEST(CausalAttention, EqualsTheFormula) {
  const struct {
    std::int64_t batch, heads, key_heads, length, window;
  } cases[] = {{1, 1, 1, 1, 1},     {2, 4, 2, 7, 3},     {1, 6, 3, 130, 200}, {1, 2, 1, 300, 17},
               {2, 3, 3, 129, 128}, {1, 2, 2, 256, 128}, {1, 4, 1, 5, 1}};
  for (const auto& c : cases) {
    const std::vector<std::int64_t> queries = {c.batch, c.heads, c.length, 8};
    const std::vector<std::int64_t> keys = {c.batch, c.key_heads, c.length, 8};
    expect_equal(
        [&](const auto& in) { return causal_attention(in[0], in[1], in[2], c.window); },
        [&](const auto& in) { return causal_attention_formula(in[0], in[1], in[2], c.window); },
        {queries, keys, keys});
  }
}

// A window of one sees itself only.
TEST(CausalAttention, WindowOfOneGivesTheValue) {
  const at::Tensor q = at::randn({1, 2, 9, 4}), k = at::randn({1, 1, 9, 4}),
                   v = at::randn({1, 1, 9, 4});
  EXPECT_TRUE(at::allclose(causal_attention(q, k, v, 1), v.expand({1, 2, 9, 4}), 1e-6, 1e-6));
}

}  // namespace
}  // namespace fbt
