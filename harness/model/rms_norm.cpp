#include "harness/model/rms_norm.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>

#include <cstdint>

#include "harness/model/float_rows.h"
#include "harness/model/rms_norm_rows.h"

namespace fbt {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

class RmsNorm : public torch::autograd::Function<RmsNorm> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& input,
                            const at::Tensor& gain, double epsilon) {
    const at::Tensor x = input.contiguous();
    const std::int64_t rows = x.numel() / x.size(-1);
    const NormRows norm(gain, epsilon);
    const at::Tensor scales = at::empty({rows}, x.options().dtype(at::kFloat));
    const at::Tensor y = at::empty_like(x);
    float* scale = scales.data_ptr<float>();
    NormRows::for_each_block(rows, [&](std::int64_t, std::int64_t begin, std::int64_t end) {
      FloatRows in(x), out(y);
      for (std::int64_t row = begin; row < end; ++row) {
        scale[row] = norm.apply(in.read(row), out.target(row));
        out.write(row);
      }
    });
    context->save_for_backward({x, norm.gain(), scales});
    return y;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor &x = saved[0], &scales = saved[2];
    const at::Tensor dy = gradients[0].contiguous();
    const std::int64_t size = x.size(-1);
    const std::int64_t rows = x.numel() / size;
    const at::Tensor dx = at::empty_like(x);
    const NormRows norm(saved[1], 0);
    const at::Tensor parts = norm.gain_parts(NormRows::blocks(rows));
    const float* scale = scales.data_ptr<float>();
    NormRows::for_each_block(rows, [&](std::int64_t block, std::int64_t begin, std::int64_t end) {
      FloatRows in(x), slope(dy), out(dx);
      float* part = parts.data_ptr<float>() + block * size;
      for (std::int64_t row = begin; row < end; ++row) {
        norm.slopes(in.read(row), scale[row], slope.read(row), out.target(row), part);
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
