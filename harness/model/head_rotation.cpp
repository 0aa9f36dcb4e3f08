#include "harness/model/head_rotation.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <vector>

#include "harness/model/float_rows.h"
#include "harness/model/rms_norm.h"
#include "harness/model/rms_norm_rows.h"
#include "harness/model/rotary.h"

namespace fbt {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// Rows of [B,T,heads,d] and of [B,heads,T,d], position by position so that memory is
// read in its order. A block of one head's rows adds up one part of the gain's slopes.
struct HeadRows {
  static constexpr std::int64_t kPositionsPerBlock = 256;

  explicit HeadRows(const at::Tensor& x)  // [B,T,heads,d]
      : sequences(x.size(0)), length(x.size(1)), heads(x.size(2)) {}

  std::int64_t sequences, length, heads;

  std::int64_t blocks() const { return (length + kPositionsPerBlock - 1) / kPositionsPerBlock; }
  std::int64_t parts() const { return sequences * heads * blocks(); }

  // walk(work) calls work(position, row of [B,T,heads,d], row of [B,heads,T,d], part);
  // task(walk) is called once for each block of positions.
  template <typename Task>
  void for_each_block(const Task& task) const {
    at::parallel_for(0, sequences * blocks(), 1, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t i = first; i < last; ++i) {
        const std::int64_t sequence = i / blocks(), block = i % blocks();
        const std::int64_t begin = block * kPositionsPerBlock;
        const std::int64_t end = std::min(length, begin + kPositionsPerBlock);
        task([&](const auto& work) {
          for (std::int64_t position = begin; position < end; ++position) {
            for (std::int64_t head = 0; head < heads; ++head) {
              const std::int64_t group = sequence * heads + head;
              work(position, (sequence * length + position) * heads + head,
                   group * length + position, group * blocks() + block);
            }
          }
        });
      }
    });
  }
};

class HeadRotation : public torch::autograd::Function<HeadRotation> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& projected,
                            const at::Tensor& gain, double epsilon, const at::Tensor& cosine,
                            const at::Tensor& sine) {
    const std::int64_t size = gain.size(0), half = size / 2, length = projected.size(1);
    const at::Tensor x = projected.contiguous().view({projected.size(0), length, -1, size});
    const HeadRows layout(x);
    const at::Tensor wide_cosine = cosine.to(at::kFloat).contiguous();
    const at::Tensor wide_sine = sine.to(at::kFloat).contiguous();
    const at::Tensor y = at::empty({x.size(0), layout.heads, length, size}, x.options());
    const at::Tensor scales = at::empty({x.numel() / size}, wide_sine.options());
    const NormRows norm(gain, epsilon);
    const float* cosines = wide_cosine.data_ptr<float>();
    const float* sines = wide_sine.data_ptr<float>();
    float* scale = scales.data_ptr<float>();
    layout.for_each_block([&](const auto& walk) {
      FloatRows in(x), out(y);
      std::vector<float> normed(static_cast<std::size_t>(size));
      walk([&](std::int64_t position, std::int64_t from, std::int64_t to, std::int64_t) {
        scale[from] = norm.apply(in.read(from), normed.data());
        in.round(normed.data());
        const std::int64_t angle = position * half;
        rotate_row(normed.data(), cosines + angle, sines + angle, out.target(to), half);
        out.write(to);
      });
    });
    context->save_for_backward({x, norm.gain(), scales, wide_cosine, wide_sine});
    return y;
  }

  // A rotation's transpose turns back.
  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor &x = saved[0], &scales = saved[2], &cosine = saved[3];
    const at::Tensor dy = gradients[0].contiguous(), back = -saved[4];
    const std::int64_t size = x.size(3), half = size / 2;
    const HeadRows layout(x);
    const at::Tensor dx = at::empty_like(x);
    const NormRows norm(saved[1], 0);
    const at::Tensor parts = norm.gain_parts(layout.parts());
    const float* cosines = cosine.data_ptr<float>();
    const float* sines = back.data_ptr<float>();
    const float* scale = scales.data_ptr<float>();
    layout.for_each_block([&](const auto& walk) {
      FloatRows in(x), slope(dy), out(dx);
      std::vector<float> turned(static_cast<std::size_t>(size));
      walk([&](std::int64_t position, std::int64_t to, std::int64_t from, std::int64_t part) {
        const std::int64_t angle = position * half;
        rotate_row(slope.read(from), cosines + angle, sines + angle, turned.data(), half);
        slope.round(turned.data());
        norm.slopes(in.read(to), scale[to], turned.data(), out.target(to),
                    parts.data_ptr<float>() + part * size);
        out.write(to);
      });
    });
    return {dx.view({x.size(0), x.size(1), -1}), parts.sum(0).to(x.scalar_type()), at::Tensor(),
            at::Tensor(), at::Tensor()};
  }
};

}  // namespace

at::Tensor rotated_heads_formula(const at::Tensor& projected, const at::Tensor& gain,
                                 double epsilon, const at::Tensor& cosine, const at::Tensor& sine) {
  const at::Tensor heads =
      projected.view({projected.size(0), projected.size(1), -1, gain.size(0)}).transpose(1, 2);
  const at::ScalarType type = projected.scalar_type();
  return rotate_halves(rms_norm_formula(heads, gain, epsilon), cosine.to(type), sine.to(type));
}

at::Tensor rotated_heads(const at::Tensor& projected, const at::Tensor& gain, double epsilon,
                         const at::Tensor& cosine, const at::Tensor& sine) {
  if (!has_float_rows(projected)) {
    return rotated_heads_formula(projected, gain, epsilon, cosine, sine);
  }
  return HeadRotation::apply(projected, gain, epsilon, cosine, sine);
}

}  // namespace fbt
