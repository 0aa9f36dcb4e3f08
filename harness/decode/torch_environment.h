#pragma once

// What LibTorch offers on this machine, for doctor. Knows nothing of LibTorch's headers.

#include <string>
#include <vector>

namespace fbt {

struct TorchEnvironment {
  std::string version;                    // "1.13.1"
  bool onednn = false;                    // bfloat16 products on the CPU need it
  bool fused_attention = false;           // its scaled-dot-product attention is used off the CPU
  bool cuda_build = false;                // built with CUDA, whether or not a device is there
  std::vector<std::string> cuda_devices;  // "cuda:0"; empty without CUDA
};

TorchEnvironment torch_environment();

}  // namespace fbt
