#include "harness/model/rotary.h"

#include <vector>

#include <ATen/ATen.h>

namespace fbt {

at::Tensor rotary_angles(const ModelConfig& config, std::int64_t length, at::Device device) {
  const at::TensorOptions options = at::TensorOptions(at::kDouble).device(device);
  const at::Tensor frequency =
      at::pow(config.rope_theta, at::arange(config.head_dim / 2, options) *
                                     (-2.0 / static_cast<double>(config.head_dim)));
  return at::arange(length, options).unsqueeze(1) * frequency;
}

at::Tensor rotate_halves(const at::Tensor& x, const at::Tensor& cosine, const at::Tensor& sine) {
  const std::vector<at::Tensor> halves = x.chunk(2, -1);
  return at::cat({halves[0] * cosine - halves[1] * sine, halves[1] * cosine + halves[0] * sine},
                 -1);
}

}  // namespace fbt
