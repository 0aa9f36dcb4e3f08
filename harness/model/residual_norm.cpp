#include "harness/model/residual_norm.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>

#include <vector>

#include "harness/model/float_rows.h"
#include "harness/model/rms_norm.h"
#include "harness/model/rms_norm_rows.h"

namespace fbt {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// The multiplier as an operation on tensors of this dtype takes it.
float factor(double multiplier, const at::Tensor& like) {
  const auto wide = static_cast<float>(multiplier);
  return like.scalar_type() == at::kFloat ? wide : static_cast<float>(at::BFloat16(wide));
}

class ResidualNormFunction : public torch::autograd::Function<ResidualNormFunction> {
 public:
  static variable_list forward(AutogradContext* context, const at::Tensor& stream,
                               const at::Tensor& branch, const at::Tensor& branch_gain,
                               double multiplier, const at::Tensor& next_gain, double epsilon) {
    const at::Tensor h = stream.contiguous(), b = branch.contiguous();
    const std::int64_t size = h.size(-1), rows = h.numel() / size;
    const at::Tensor hidden = at::empty_like(h), normed = at::empty_like(h);
    const at::Tensor scales = at::empty({2, rows}, h.options().dtype(at::kFloat));
    const NormRows branch_norm(branch_gain, epsilon), next_norm(next_gain, epsilon);
    const float m = factor(multiplier, h);
    float* branch_scale = scales.data_ptr<float>();
    float* next_scale = branch_scale + rows;
    NormRows::for_each_block(rows, [&](std::int64_t, std::int64_t begin, std::int64_t end) {
      FloatRows streams(h), branches(b), sums(hidden), out(normed);
      std::vector<float> y(static_cast<std::size_t>(size));
      for (std::int64_t row = begin; row < end; ++row) {
        branch_scale[row] = branch_norm.apply(branches.read(row), y.data());
        branches.round(y.data());
        sum_with_scaled(streams.read(row), y.data(), m, sums.target(row), size);
        sums.write(row);
        next_scale[row] = next_norm.apply(sums.read(row), out.target(row));
        out.write(row);
      }
    });
    context->save_for_backward({hidden, b, branch_norm.gain(), next_norm.gain(), scales});
    context->saved_data["multiplier"] = multiplier;
    context->set_materialize_grads(false);  // the last layer's stream ends in a norm
    return {hidden, normed};
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor &hidden = saved[0], &b = saved[1], &scales = saved[4];
    const std::int64_t size = b.size(-1), rows = b.numel() / size;
    const bool stream_goes_on = gradients[0].defined();
    const at::Tensor dy =
        gradients[1].defined() ? gradients[1].contiguous() : at::zeros_like(hidden);
    const at::Tensor passed = stream_goes_on ? gradients[0].contiguous() : dy;
    const at::Tensor dh = at::empty_like(hidden), db = at::empty_like(b);
    const NormRows branch_norm(saved[2], 0), next_norm(saved[3], 0);
    const at::Tensor branch_parts = branch_norm.gain_parts(NormRows::blocks(rows));
    const at::Tensor next_parts = next_norm.gain_parts(NormRows::blocks(rows));
    const float m = factor(context->saved_data["multiplier"].toDouble(), b);
    const float* branch_scale = scales.data_ptr<float>();
    const float* next_scale = branch_scale + rows;
    NormRows::for_each_block(rows, [&](std::int64_t block, std::int64_t begin, std::int64_t end) {
      FloatRows sums(hidden), branches(b), slope(dy), more(passed), stream_out(dh), branch_out(db);
      float* branch_part = branch_parts.data_ptr<float>() + block * size;
      float* next_part = next_parts.data_ptr<float>() + block * size;
      std::vector<float> slope_of_norm(static_cast<std::size_t>(size));
      for (std::int64_t row = begin; row < end; ++row) {
        float* dsum = stream_out.target(row);
        next_norm.slopes(sums.read(row), next_scale[row], slope.read(row), dsum, next_part);
        if (stream_goes_on) {
          stream_out.round(dsum);
          sum_with_scaled(dsum, more.read(row), 1, dsum, size);
        }
        stream_out.write(row);
        scaled(stream_out.read(row), m, slope_of_norm.data(), size);
        stream_out.round(slope_of_norm.data());
        branch_norm.slopes(branches.read(row), branch_scale[row], slope_of_norm.data(),
                           branch_out.target(row), branch_part);
        branch_out.write(row);
      }
    });
    const auto sum = [&](const at::Tensor& parts) { return parts.sum(0).to(b.scalar_type()); };
    return {dh, db, sum(branch_parts), at::Tensor(), sum(next_parts), at::Tensor()};
  }
};

}  // namespace

ResidualNorm residual_norm_formula(const at::Tensor& stream, const at::Tensor& branch,
                                   const at::Tensor& branch_gain, double multiplier,
                                   const at::Tensor& next_gain, double epsilon) {
  const at::Tensor hidden =
      at::add(stream, rms_norm_formula(branch, branch_gain, epsilon), multiplier);
  return {hidden, rms_norm_formula(hidden, next_gain, epsilon)};
}

ResidualNorm residual_norm(const at::Tensor& stream, const at::Tensor& branch,
                           const at::Tensor& branch_gain, double multiplier,
                           const at::Tensor& next_gain, double epsilon) {
  if (!has_float_rows(stream)) {
    return residual_norm_formula(stream, branch, branch_gain, multiplier, next_gain, epsilon);
  }
  const variable_list results =
      ResidualNormFunction::apply(stream, branch, branch_gain, multiplier, next_gain, epsilon);
  return {results[0], results[1]};
}

}  // namespace fbt
