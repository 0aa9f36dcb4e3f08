#include "harness/model/head_gate.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include "harness/model/float_rows.h"
#include "harness/model/row_kernels.h"

namespace fbt {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr std::int64_t kPositionsPerTask = 64;

// work(row of [B,H,T,d], row of [B,T,H,d]) for all rows, in the second one's order.
template <typename Work>
void for_each_head(const at::Tensor& mixed, const Work& work) {
  const std::int64_t heads = mixed.size(1), length = mixed.size(2);
  at::parallel_for(0, mixed.size(0) * length, kPositionsPerTask,
                   [&](std::int64_t begin, std::int64_t end) {
                     work(begin * heads, end * heads, [=](std::int64_t row) {
                       const std::int64_t position = row / heads, head = row % heads;
                       return (position / length * heads + head) * length + position % length;
                     });
                   });
}

class HeadGate : public torch::autograd::Function<HeadGate> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& mixed,
                            const at::Tensor& gate) {
    const at::Tensor x = mixed.contiguous(), g = gate.contiguous();
    const at::Tensor wide_gate = g.to(at::kFloat);
    const at::Tensor y = at::empty({x.size(0), x.size(2), x.size(1), x.size(3)}, x.options());
    const float* gates = wide_gate.data_ptr<float>();
    for_each_head(x, [&](std::int64_t begin, std::int64_t end, const auto& source) {
      FloatRows in(x), out(y);
      for (std::int64_t row = begin; row < end; ++row) {
        scaled(in.read(source(row)), gates[row], out.target(row), x.size(3));
        out.write(row);
      }
    });
    context->save_for_backward({x, wide_gate});
    return y.view({x.size(0), x.size(2), -1});
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor &x = saved[0], &wide_gate = saved[1];
    const at::Tensor dy = gradients[0].contiguous().view({x.size(0), x.size(2), -1, x.size(3)});
    const at::Tensor dx = at::empty_like(x), by_gate = at::empty_like(dy);
    const float* gates = wide_gate.data_ptr<float>();
    for_each_head(x, [&](std::int64_t begin, std::int64_t end, const auto& source) {
      FloatRows in(x), slope(dy), out(dx), products(by_gate);
      for (std::int64_t row = begin; row < end; ++row) {
        const float* slopes = slope.read(row);
        scaled(slopes, gates[row], out.target(source(row)), x.size(3));
        out.write(source(row));
        product(slopes, in.read(source(row)), products.target(row), x.size(3));
        products.write(row);
      }
    });
    return {dx, by_gate.sum(-1)};
  }
};

}  // namespace

at::Tensor gated_heads_formula(const at::Tensor& mixed, const at::Tensor& gate) {
  const at::Tensor outputs = mixed.transpose(1, 2) * gate.unsqueeze(-1);  // [B,T,H,d]
  return outputs.reshape({mixed.size(0), mixed.size(2), -1});
}

at::Tensor gated_heads(const at::Tensor& mixed, const at::Tensor& gate) {
  return has_float_rows(mixed) ? HeadGate::apply(mixed, gate) : gated_heads_formula(mixed, gate);
}

}  // namespace fbt
