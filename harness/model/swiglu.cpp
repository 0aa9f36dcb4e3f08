#include "harness/model/swiglu.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include "harness/model/float_rows.h"
#include "harness/model/row_kernels.h"

namespace fbt {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr std::int64_t kRowsPerTask = 64;

class Swiglu : public torch::autograd::Function<Swiglu> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& gate,
                            const at::Tensor& up) {
    const at::Tensor a = gate.contiguous(), b = up.contiguous();
    const at::Tensor y = at::empty_like(a);
    const std::int64_t size = a.size(-1);
    at::parallel_for(0, a.numel() / size, kRowsPerTask, [&](std::int64_t begin, std::int64_t end) {
      FloatRows gates(a), ups(b), out(y);
      for (std::int64_t row = begin; row < end; ++row) {
        swiglu_row(gates.read(row), ups.read(row), out.target(row), size);
        out.write(row);
      }
    });
    context->save_for_backward({a, b});
    return y;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor &a = saved[0], &b = saved[1];
    const at::Tensor dy = gradients[0].contiguous();
    const at::Tensor da = at::empty_like(a), db = at::empty_like(b);
    const std::int64_t size = a.size(-1);
    at::parallel_for(0, a.numel() / size, kRowsPerTask, [&](std::int64_t begin, std::int64_t end) {
      FloatRows gates(a), ups(b), slopes(dy), gate_out(da), up_out(db);
      for (std::int64_t row = begin; row < end; ++row) {
        swiglu_slopes(gates.read(row), ups.read(row), slopes.read(row), gate_out.target(row),
                      up_out.target(row), size);
        gate_out.write(row);
        up_out.write(row);
      }
    });
    return {da, db};
  }
};

}  // namespace

at::Tensor swiglu_formula(const at::Tensor& gate, const at::Tensor& up) {
  return at::silu(gate) * up;
}

at::Tensor swiglu(const at::Tensor& gate, const at::Tensor& up) {
  return has_float_rows(gate) ? Swiglu::apply(gate, up) : swiglu_formula(gate, up);
}

}  // namespace fbt
