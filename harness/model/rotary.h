#pragma once

// Rotary position embedding, half-split ("rotate half").

#include <ATen/core/Tensor.h>

#include "harness/model/config.h"

namespace fbt {

// The angles by which positions [0, length) turn: position * theta^(-2j/d) for
// the pairs j. float64 [length, d/2] on `device`.
at::Tensor rotary_angles(const ModelConfig& config, std::int64_t length,
                         at::Device device = at::kCPU);

// Turns the pairs (x_j, x_{j + d/2}) of x [..., d]; `cosine` and `sine` broadcast
// to [..., d/2].
at::Tensor rotate_halves(const at::Tensor& x, const at::Tensor& cosine, const at::Tensor& sine);

}  // namespace fbt
