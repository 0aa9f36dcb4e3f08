#include "harness/decode/device/engine_device.h"

#include <charconv>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "base/free_memory.h"
#include "harness/decode/torch_environment.h"
#include "harness/model/libtorch_version.h"

namespace fbt {
namespace {

std::int64_t free_host_memory() {
  const std::optional<std::int64_t> free = free_memory();
  if (free) return *free;
  throw EnvironmentError("cannot read the free memory from /proc/meminfo; give --cache-gb");
}

// N of "cuda:N", 0 for "cuda", -1 for anything else.
int cuda_index(std::string_view name) {
  if (name == "cuda") return 0;
  constexpr std::string_view kPrefix = "cuda:";
  if (!name.starts_with(kPrefix)) return -1;
  name.remove_prefix(kPrefix.size());
  int index = -1;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), index);
  return error == std::errc() && end == name.data() + name.size() ? index : -1;
}

}  // namespace

EngineDevice parse_device(std::string_view name) {
  if (name == "cpu") return {c10::kCPU, false};
  if (name == "cpu:portable") return {c10::kCPU, true};
  const int index = cuda_index(name);
  if (index < 0) {
    throw InputError(
        fmt::format("unknown --device '{}'; known: cpu, cpu:portable, cuda, cuda:N", name));
  }
  const TorchEnvironment torch = torch_environment();
  if (static_cast<std::size_t>(index) >= torch.cuda_devices.size()) {
    throw InputError(
        fmt::format("--device {}: LibTorch {} ({}) offers cpu{}{} here; use one of these{}", name,
                    torch.version, torch.cuda_build ? "a CUDA build" : "a CPU build",
                    torch.cuda_devices.empty() ? "" : ", ", fmt::join(torch.cuda_devices, ", "),
                    torch.cuda_build ? "" : ", or build with a CUDA LibTorch (docs/libtorch.md)"));
  }
  return {c10::Device(c10::kCUDA, static_cast<c10::DeviceIndex>(index)), true};
}

std::optional<std::int64_t> free_memory(c10::Device device) {
  return device.is_cpu() ? free_host_memory() : free_device_memory(device);
}

}  // namespace fbt
