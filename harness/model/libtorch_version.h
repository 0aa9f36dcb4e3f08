#pragma once

// What differs between the LibTorch versions this project builds with (1.13 to
// 2.x), in one place.

#include <cmath>
#include <cstdint>
#include <optional>
#include <thread>

#include <ATen/ATen.h>
#include <c10/core/Event.h>
#include <torch/version.h>

#define FBT_LIBTORCH_AT_LEAST(major, minor) \
  (TORCH_VERSION_MAJOR > (major) ||         \
   (TORCH_VERSION_MAJOR == (major) && TORCH_VERSION_MINOR >= (minor)))

#if FBT_LIBTORCH_AT_LEAST(2, 10)
#include <ATen/DeviceAccelerator.h>
#endif

namespace fbt {

// Whether attention is LibTorch's fused kernel.
inline constexpr bool kHasFusedAttention = FBT_LIBTORCH_AT_LEAST(2, 0);

// softmax(q k^T / sqrt(d) + mask) v: query [B,H,Tq,d], key and value [B,H,Tk,d],
// mask [B,1,Tq,Tk] of the same dtype (0 or -infinity). [B,H,Tq,d].
inline at::Tensor scaled_dot_product_attention(const at::Tensor& query, const at::Tensor& key,
                                               const at::Tensor& value, const at::Tensor& mask) {
#if FBT_LIBTORCH_AT_LEAST(2, 0)
  return at::scaled_dot_product_attention(query, key, value, mask);
#else
  const at::ScalarType wide = at::promote_types(query.scalar_type(), at::kFloat);
  const double scale = 1.0 / std::sqrt(static_cast<double>(query.size(-1)));
  const at::Tensor scores =
      at::matmul(query.to(wide) * scale, key.to(wide).transpose(-1, -2)) + mask;
  return at::matmul(scores.softmax(-1), value.to(wide)).to(query.scalar_type());
#endif
}

// x [M,K], weight [N,K] -> x W^T [M,N] in `wide`, the sums rounded no earlier
// than LibTorch allows.
inline at::Tensor wide_product(const at::Tensor& x, const at::Tensor& weight, at::ScalarType wide) {
#if FBT_LIBTORCH_AT_LEAST(2, 8)
  if (x.is_cuda() && x.scalar_type() != wide) return at::mm(x, weight.t(), wide);
#endif
  return at::mm(x, weight.t()).to(wide);
}

// Waits until what was recorded before the event is done.
inline void wait_for(const c10::Event& event) {
#if FBT_LIBTORCH_AT_LEAST(2, 6)
  event.synchronize();
#else
  while (!event.query()) std::this_thread::yield();
#endif
}

// Bytes that are free on a device other than the CPU, if LibTorch tells.
inline std::optional<std::int64_t> free_device_memory([[maybe_unused]] at::Device device) {
#if FBT_LIBTORCH_AT_LEAST(2, 10)
  return static_cast<std::int64_t>(at::accelerator::getMemoryInfo(device.index()).first);
#else
  return std::nullopt;
#endif
}

}  // namespace fbt
