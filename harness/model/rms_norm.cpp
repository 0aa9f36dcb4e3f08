#include "harness/model/rms_norm.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "harness/model/float_rows.h"
#include "harness/model/row_kernels.h"

namespace fbt {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// Rows of a block add up one part of the gain's gradient, so that the sum's
// order does not depend on the threads.
constexpr std::int64_t kRowsPerBlock = 256;

template <typename Work>
void for_each_block(std::int64_t rows, const Work& work) {
  const std::int64_t blocks = (rows + kRowsPerBlock - 1) / kRowsPerBlock;
  at::parallel_for(0, blocks, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t block = begin; block < end; ++block) {
      work(block, block * kRowsPerBlock, std::min(rows, (block + 1) * kRowsPerBlock));
    }
  });
}

class RmsNorm : public torch::autograd::Function<RmsNorm> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& input,
                            const at::Tensor& gain, double epsilon) {
    const at::Tensor x = input.contiguous();
    const std::int64_t size = x.size(-1);
    const std::int64_t rows = x.numel() / size;
    const at::Tensor wide_gain = gain.to(at::kFloat).contiguous();  // [n]
    const at::Tensor scales = at::empty({rows}, x.options().dtype(at::kFloat));
    const at::Tensor y = at::empty_like(x);
    const float* gains = wide_gain.data_ptr<float>();
    float* scale = scales.data_ptr<float>();
    for_each_block(rows, [&](std::int64_t, std::int64_t begin, std::int64_t end) {
      FloatRows in(x), out(y);
      for (std::int64_t row = begin; row < end; ++row) {
        const float* values = in.read(row);
        const float mean = sum_of_products(values, values, size) / static_cast<float>(size);
        scale[row] = 1.0F / std::sqrt(mean + static_cast<float>(epsilon));
        scaled_product(values, gains, scale[row], out.target(row), size);
        out.write(row);
      }
    });
    context->save_for_backward({x, wide_gain, scales});
    return y;
  }

  // With r = scale, w = gradient * gain: dx = r w - x r^3 (w . x) / n,
  // dgain = sum over rows of gradient x r.
  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor &x = saved[0], &wide_gain = saved[1], &scales = saved[2];
    const at::Tensor dy = gradients[0].contiguous();
    const std::int64_t size = x.size(-1);
    const std::int64_t rows = x.numel() / size;
    const at::Tensor dx = at::empty_like(x);
    const at::Tensor parts =
        at::zeros({(rows + kRowsPerBlock - 1) / kRowsPerBlock, size}, scales.options());
    const float* gains = wide_gain.data_ptr<float>();
    const float* scale = scales.data_ptr<float>();
    for_each_block(rows, [&](std::int64_t block, std::int64_t begin, std::int64_t end) {
      FloatRows in(x), slope(dy), out(dx);
      float* part = parts.data_ptr<float>() + block * size;
      std::vector<float> weighted(static_cast<std::size_t>(size));
      for (std::int64_t row = begin; row < end; ++row) {
        const float* values = in.read(row);
        const float* slopes = slope.read(row);
        const float r = scale[row];
        scaled_product(slopes, gains, 1, weighted.data(), size);
        const float inner = sum_of_products(weighted.data(), values, size);
        scaled_difference(weighted.data(), r, values, r * r * r * inner / static_cast<float>(size),
                          out.target(row), size);
        add_scaled_product(slopes, values, r, part, size);
        out.write(row);
      }
    });
    return {dx, parts.sum(0).to(x.scalar_type()), at::Tensor()};
  }
};

}  // namespace

at::Tensor rms_norm_formula(const at::Tensor& x, const at::Tensor& gain, double epsilon) {
  const at::Tensor wide = x.to(at::promote_types(x.scalar_type(), at::kFloat));
  const at::Tensor scale = (wide.square().mean(-1, /*keepdim=*/true) + epsilon).rsqrt();
  return (wide * scale).to(x.scalar_type()) * gain;
}

at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& gain, double epsilon) {
  if (!has_float_rows(x)) return rms_norm_formula(x, gain, epsilon);
  return RmsNorm::apply(x, gain, epsilon);
}

}  // namespace fbt
