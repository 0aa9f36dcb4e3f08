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

constexpr std::int64_t kElementsPerTask = 65536;

template <typename Element>
Element* elements(const at::Tensor& tensor, std::int64_t first) {
  return static_cast<Element*>(tensor.data_ptr()) + first;
}

// work(Element(), first, count) for parts of tensors like this one, where Element
// is float or, for bfloat16, its bits.
template <typename Work>
void for_each_part(const at::Tensor& like, const Work& work) {
  at::parallel_for(0, like.numel(), kElementsPerTask, [&](std::int64_t begin, std::int64_t end) {
    if (like.scalar_type() == at::kFloat) {
      work(float(), begin, end - begin);
    } else {
      work(std::uint16_t(), begin, end - begin);
    }
  });
}

class Swiglu : public torch::autograd::Function<Swiglu> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& gate,
                            const at::Tensor& up) {
    const at::Tensor a = gate.contiguous(), b = up.contiguous();
    const at::Tensor y = at::empty_like(a);
    for_each_part(a, [&](auto element, std::int64_t first, std::int64_t count) {
      using Element = decltype(element);
      swiglu(elements<Element>(a, first), elements<Element>(b, first), elements<Element>(y, first),
             count);
    });
    context->save_for_backward({a, b});
    return y;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor &a = saved[0], &b = saved[1];
    const at::Tensor dy = gradients[0].contiguous();
    const at::Tensor da = at::empty_like(a), db = at::empty_like(b);
    for_each_part(a, [&](auto element, std::int64_t first, std::int64_t count) {
      using Element = decltype(element);
      swiglu_slopes(elements<Element>(a, first), elements<Element>(b, first),
                    elements<Element>(dy, first), elements<Element>(da, first),
                    elements<Element>(db, first), count);
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
