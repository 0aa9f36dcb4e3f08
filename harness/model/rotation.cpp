#include "harness/model/rotation.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include "harness/model/float_rows.h"
#include "harness/model/rotary.h"
#include "harness/model/row_kernels.h"

namespace fbt {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr std::int64_t kRowsPerTask = 256;

// x [...,T,d] contiguous; cosine, sine float32 [T,d/2] contiguous.
at::Tensor rotated(const at::Tensor& x, const at::Tensor& cosine, const at::Tensor& sine) {
  const at::Tensor y = at::empty_like(x);
  const std::int64_t size = x.size(-1), length = x.size(-2), half = size / 2;
  const float* cosines = cosine.data_ptr<float>();
  const float* sines = sine.data_ptr<float>();
  at::parallel_for(0, x.numel() / size, kRowsPerTask, [&](std::int64_t begin, std::int64_t end) {
    FloatRows in(x), out(y);
    for (std::int64_t row = begin; row < end; ++row) {
      const std::int64_t angle = row % length * half;
      rotate_row(in.read(row), cosines + angle, sines + angle, out.target(row), half);
      out.write(row);
    }
  });
  return y;
}

class Rotation : public torch::autograd::Function<Rotation> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& cosine,
                            const at::Tensor& sine) {
    const at::Tensor wide_cosine = cosine.to(at::kFloat).contiguous();
    const at::Tensor wide_sine = sine.to(at::kFloat).contiguous();
    context->save_for_backward({wide_cosine, wide_sine});
    return rotated(x.contiguous(), wide_cosine, wide_sine);
  }

  // A rotation's transpose turns back.
  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const variable_list saved = context->get_saved_variables();
    return {rotated(gradients[0].contiguous(), saved[0], -saved[1]), at::Tensor(), at::Tensor()};
  }
};

}  // namespace

at::Tensor rotate(const at::Tensor& x, const at::Tensor& cosine, const at::Tensor& sine) {
  if (!has_float_rows(x)) {
    return rotate_halves(x, cosine.to(x.scalar_type()), sine.to(x.scalar_type()));
  }
  return Rotation::apply(x, cosine, sine);
}

}  // namespace fbt
