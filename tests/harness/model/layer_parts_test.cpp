// Attention, rotation and SwiGLU: values and gradients of the CPU's loops
// against the formulas in float64.

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <functional>

#include "harness/model/causal_attention.h"
#include "harness/model/rotary.h"
#include "harness/model/rotation.h"
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

TEST(Rotation, EqualsTheFormula) {
  const at::Tensor angle = at::rand({6, 4}, at::kDouble) * 10;
  for (const auto& shape : std::vector<std::vector<std::int64_t>>{{6, 8}, {2, 3, 6, 8}}) {
    expect_equal([&](const auto& in) { return rotate(in[0], angle.cos(), angle.sin()); },
                 [&](const auto& in) { return rotate_halves(in[0], angle.cos(), angle.sin()); },
                 {shape});
  }
}

// A quarter turn takes (1, 2 | 3, 4) to (-3, -4 | 1, 2).
TEST(Rotation, HandWorked) {
  const at::Tensor x = at::tensor({1.0F, 2.0F, 3.0F, 4.0F}).unsqueeze(0);
  const at::Tensor y = rotate(x, at::zeros({1, 2}), at::ones({1, 2}));
  EXPECT_TRUE(at::equal(y, at::tensor({-3.0F, -4.0F, 1.0F, 2.0F}).unsqueeze(0)));
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
