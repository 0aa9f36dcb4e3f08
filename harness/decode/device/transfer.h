#pragma once

// Small arrays from the host to a device and back, without making either wait
// for the other: through page-locked memory where the device is CUDA.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <ATen/core/Tensor.h>

namespace fbt {

// A copy on `device`: [n] int64, int32, float64, or (of bytes) bool.
at::Tensor to_device(std::span<const std::int64_t> values, at::Device device);
at::Tensor to_device(std::span<const std::int32_t> values, at::Device device);
at::Tensor to_device(std::span<const double> values, at::Device device);
at::Tensor to_device(std::span<const std::uint8_t> flags, at::Device device);
// Token ids: [n] int64.
at::Tensor tokens_to_device(std::span<const int> tokens, at::Device device);

// Starts copying `tensor` to the host. The result waits for that copy alone, not
// for what was begun after it, and gives the host's tensor.
std::function<at::Tensor()> to_host(const at::Tensor& tensor);

}  // namespace fbt
