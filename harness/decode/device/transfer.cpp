#include "harness/decode/device/transfer.h"

#include <cstring>
#include <memory>

#include <ATen/ATen.h>
#include <c10/core/Event.h>

#include "harness/model/libtorch_version.h"

namespace fbt {
namespace {

at::Tensor host_buffer(at::IntArrayRef sizes, at::ScalarType dtype, at::Device device) {
  return at::empty(sizes, at::TensorOptions(dtype).pinned_memory(device.is_cuda()));
}

template <typename T>
at::Tensor upload(std::span<const T> values, at::ScalarType dtype, at::Device device) {
  const at::Tensor host = host_buffer({static_cast<std::int64_t>(values.size())}, dtype, device);
  std::memcpy(host.data_ptr(), values.data(), values.size_bytes());
  return host.to(device, /*non_blocking=*/true);
}

}  // namespace

at::Tensor to_device(std::span<const std::int64_t> values, at::Device device) {
  return upload(values, at::kLong, device);
}

at::Tensor to_device(std::span<const std::int32_t> values, at::Device device) {
  return upload(values, at::kInt, device);
}

at::Tensor to_device(std::span<const double> values, at::Device device) {
  return upload(values, at::kDouble, device);
}

at::Tensor to_device(std::span<const std::uint8_t> flags, at::Device device) {
  return upload(flags, at::kBool, device);
}

at::Tensor tokens_to_device(std::span<const int> tokens, at::Device device) {
  const std::vector<std::int64_t> wide(tokens.begin(), tokens.end());
  return to_device(std::span(wide), device);
}

std::function<at::Tensor()> to_host(const at::Tensor& tensor) {
  const at::Device device = tensor.device();
  if (!device.is_cuda()) {
    return [host = tensor.cpu()] { return host; };
  }
  const at::Tensor host = host_buffer(tensor.sizes(), tensor.scalar_type(), device);
  host.copy_(tensor, /*non_blocking=*/true);
  const auto arrived = std::make_shared<c10::Event>(device.type());
  arrived->record(c10::impl::VirtualGuardImpl(device.type()).getStream(device));
  return [host, arrived] {
    wait_for(*arrived);
    return host;
  };
}

}  // namespace fbt
