#pragma once

// What LibTorch offers on this machine, for doctor. Knows nothing of LibTorch's headers.

#include <string>
#include <vector>

namespace fbt {

struct TorchEnvironment {
  std::string version;                    // "1.13.1"
  std::string cpu_capability;             // "AVX512": the vector instructions its kernels use
  bool onednn = false;                    // bfloat16 products on the CPU need it
  std::vector<std::string> cuda_devices;  // "cuda:0"; empty without CUDA
};

TorchEnvironment torch_environment();

}  // namespace fbt
