#include "harness/train/token_loss.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include <cmath>
#include <vector>

#include "harness/model/float_rows.h"
#include "harness/model/row_kernels.h"

namespace fbt::train {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr std::int64_t kRowsPerTask = 16;

class TokenLoss : public torch::autograd::Function<TokenLoss> {
 public:
  static variable_list forward(AutogradContext* context, const at::Tensor& logits,
                               const at::Tensor& targets) {
    const at::Tensor z = logits.contiguous(), chosen = targets.contiguous();
    const std::int64_t size = z.size(-1);
    const at::TensorOptions options = z.options().dtype(at::kFloat);
    const at::Tensor cross_entropy = at::empty(targets.sizes(), options);
    const at::Tensor log_partition = at::empty(targets.sizes(), options);
    const auto* target = chosen.data_ptr<std::int64_t>();
    auto* loss = cross_entropy.data_ptr<float>();
    auto* partition = log_partition.data_ptr<float>();
    at::parallel_for(0, z.numel() / size, kRowsPerTask, [&](std::int64_t begin, std::int64_t end) {
      FloatRows rows(z);
      std::vector<float> powers(static_cast<std::size_t>(size));
      for (std::int64_t row = begin; row < end; ++row) {
        const float* values = rows.read(row);
        const float most = largest(values, size);
        partition[row] = most + std::log(exponentials(values, most, powers.data(), size));
        loss[row] = partition[row] - values[target[row]];
      }
    });
    context->save_for_backward({z, chosen, log_partition});
    return {cross_entropy, log_partition};
  }

  // With p = softmax: the cross-entropy's slope is p minus one at the target,
  // the log-partition's is p.
  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor &z = saved[0], &chosen = saved[1], &log_partition = saved[2];
    const auto given = [&](const at::Tensor& gradient) {
      return gradient.defined() ? gradient.contiguous() : at::zeros_like(log_partition);
    };
    const at::Tensor by_loss = given(gradients[0]), by_partition = given(gradients[1]);
    const at::Tensor dz = at::empty_like(z);
    const std::int64_t size = z.size(-1);
    const auto* target = chosen.data_ptr<std::int64_t>();
    const auto* loss_slope = by_loss.data_ptr<float>();
    const auto* partition_slope = by_partition.data_ptr<float>();
    const auto* partition = log_partition.data_ptr<float>();
    at::parallel_for(0, z.numel() / size, kRowsPerTask, [&](std::int64_t begin, std::int64_t end) {
      FloatRows in(z), out(dz);
      for (std::int64_t row = begin; row < end; ++row) {
        float* slope = out.target(row);
        exponentials(in.read(row), partition[row], slope, size);
        const float weight = loss_slope[row] + partition_slope[row];
        for (std::int64_t i = 0; i < size; ++i) slope[i] *= weight;
        slope[target[row]] -= loss_slope[row];
        out.write(row);
      }
    });
    return {dz, at::Tensor()};
  }
};

}  // namespace

TokenLosses token_losses_formula(const at::Tensor& logits, const at::Tensor& targets) {
  const at::Tensor wide = logits.to(at::promote_types(logits.scalar_type(), at::kFloat));
  const at::Tensor log_partition = wide.logsumexp(-1);
  return {log_partition - wide.gather(-1, targets.unsqueeze(-1)).squeeze(-1), log_partition};
}

TokenLosses token_losses(const at::Tensor& logits, const at::Tensor& targets) {
  if (!has_float_rows(logits)) return token_losses_formula(logits, targets);
  const variable_list losses = TokenLoss::apply(logits, targets);
  return {losses[0], losses[1]};
}

}  // namespace fbt::train
