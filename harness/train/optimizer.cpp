#include "harness/train/optimizer.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>
#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "base/error.h"
#include "harness/model/cpu_bfloat16.h"
#include "harness/model/row_kernels.h"

namespace fbt::train {

namespace {

constexpr std::int64_t kElementsPerTask = 65536;

// a a_scale + b b_scale; a and b are contiguous and of one shape. In bfloat16 every
// factor, product and sum is rounded, as by LibTorch 1.13's operations, which go over
// memory three times.
at::Tensor scaled_sum(const at::Tensor& a, double a_scale, const at::Tensor& b, double b_scale) {
  if (!a.is_cpu() || a.scalar_type() != at::kBFloat16) return a * a_scale + b * b_scale;
  const at::Tensor sum = at::empty_like(a);
  const auto bits = [](const at::Tensor& x) { return static_cast<std::uint16_t*>(x.data_ptr()); };
  const auto factor = [](double x) {
    return static_cast<float>(at::BFloat16(static_cast<float>(x)));
  };
  at::parallel_for(0, a.numel(), kElementsPerTask, [&](std::int64_t begin, std::int64_t end) {
    fbt::scaled_sum(bits(a) + begin, factor(a_scale), bits(b) + begin, factor(b_scale),
                    bits(sum) + begin, end - begin);
  });
  return sum;
}

// a b. A CPU without products in bfloat16 gets float32's, rounded: LibTorch's own loops
// are slow there and round every sum on its way.
at::Tensor product(const at::Tensor& a, const at::Tensor& b) {
  if (!a.is_cpu() || a.scalar_type() != at::kBFloat16 || cpu_multiplies_bfloat16()) return a.mm(b);
  return a.to(at::kFloat).mm(b.to(at::kFloat)).to(at::kBFloat16);
}

}  // namespace

at::Tensor orthogonalise(const at::Tensor& matrix) {
  constexpr double kA = 3.4445, kB = -4.7750, kC = 2.0315;
  constexpr int kIterations = 5;
  // With the smaller side in front, X <- a X + (b G + c G^2) X, where G = X X^T is small.
  const bool tall = matrix.size(0) > matrix.size(1);
  at::Tensor x = matrix / (matrix.norm() + 1e-7);  // singular values at most 1
  for (int i = 0; i < kIterations; ++i) {
    const at::Tensor gram = tall ? product(x.t(), x) : product(x, x.t());
    const at::Tensor change = scaled_sum(gram, kB, product(gram, gram), kC);
    x = scaled_sum(x, kA, tall ? product(x, change.t()) : product(change, x), 1);
  }
  return x;
}

bool is_matrix_parameter(const std::string& name, const at::Tensor& parameter) {
  return parameter.dim() == 2 && name != "model.embed_tokens.weight";
}

Optimizer::Optimizer(NamedTensors parameters, OptimizerSettings settings) : settings_(settings) {
  for (auto& [name, parameter] : parameters) {
    const bool is_matrix = is_matrix_parameter(name, parameter);
    slots_.push_back({name, parameter, at::zeros_like(parameter.detach()),
                      is_matrix ? at::zeros({parameter.size(0), 1}, parameter.options())
                                : at::zeros_like(parameter.detach()),
                      is_matrix});
  }
}

void Optimizer::step(double factor) {
  const c10::NoGradGuard no_grad;
  ++steps_done_;
  for (Slot& slot : slots_) {
    const at::Tensor& gradient = slot.parameter.grad();
    if (!gradient.defined()) continue;
    if (slot.is_matrix) {
      step_matrix(slot, gradient, settings_.matrix_lr * factor);
    } else {
      step_adam(slot, gradient, settings_.adam_lr * factor);
    }
  }
}

void Optimizer::step_matrix(Slot& slot, const at::Tensor& gradient, double lr) const {
  slot.momentum.lerp_(gradient, 1 - settings_.matrix_momentum);
  const at::Tensor direction =
      orthogonalise(slot.momentum.to(settings_.iteration_dtype)).to(at::kFloat);
  slot.second.lerp_(direction.square().mean(1, /*keepdim=*/true), 1 - settings_.matrix_beta2);
  const at::Tensor normalised = direction / (slot.second.sqrt() + settings_.epsilon);
  const double size = std::sqrt(static_cast<double>(slot.parameter.numel()));
  const at::Tensor scale = 0.2 * lr * size / (normalised.norm() + settings_.epsilon);
  slot.parameter.mul_(1 - lr * settings_.matrix_decay).sub_(normalised * scale);
}

void Optimizer::step_adam(Slot& slot, const at::Tensor& gradient, double lr) const {
  const auto steps = static_cast<double>(steps_done_);
  slot.momentum.lerp_(gradient, 1 - settings_.adam_beta1);
  slot.second.lerp_(gradient.square(), 1 - settings_.adam_beta2);
  const double first_bias = 1 - std::pow(settings_.adam_beta1, steps);
  const double second_bias = 1 - std::pow(settings_.adam_beta2, steps);
  slot.parameter.addcdiv_(slot.momentum, (slot.second / second_bias).sqrt() + settings_.epsilon,
                          -lr / first_bias);
}

NamedTensors Optimizer::state() const {
  NamedTensors state;
  for (const Slot& slot : slots_) {
    state.emplace_back("momentum." + slot.name, slot.momentum);
    state.emplace_back("second." + slot.name, slot.second);
  }
  return state;
}

void Optimizer::restore(const std::map<std::string, at::Tensor>& state, std::int64_t steps_done) {
  for (auto& [name, tensor] : this->state()) {
    const auto found = state.find(name);
    if (found == state.end() || found->second.sizes() != tensor.sizes()) {
      throw InputError(fmt::format(
          "optimizer state '{}' is missing or misshapen; train anew with --fresh", name));
    }
    tensor.copy_(found->second);
  }
  steps_done_ = steps_done;
}

}  // namespace fbt::train
