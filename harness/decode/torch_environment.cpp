#include "harness/decode/torch_environment.h"

#include <ATen/Context.h>
#include <fmt/format.h>
#include <torch/cuda.h>
#include <torch/version.h>

#include "harness/model/libtorch_version.h"

namespace fbt {

TorchEnvironment torch_environment() {
  TorchEnvironment environment;
  environment.version = TORCH_VERSION;
  environment.onednn = at::hasMKLDNN();
  environment.fused_attention = kHasFusedAttention;
  environment.cuda_build = at::globalContext().hasCUDART();
  if (torch::cuda::is_available()) {
    // Its type differs between versions.
    const auto devices = static_cast<std::size_t>(torch::cuda::device_count());
    for (std::size_t i = 0; i < devices; ++i) {
      environment.cuda_devices.push_back(fmt::format("cuda:{}", i));
    }
  }
  return environment;
}

}  // namespace fbt
