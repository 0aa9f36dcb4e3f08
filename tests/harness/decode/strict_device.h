#pragma once

// A device for tests, as far from the CPU as a GPU is, though its memory is the
// host's: LibTorch sees a device type of its own (PrivateUse1) whose operations
// refuse tensors of any other device, except to copy between them and for
// numbers (tensors without dimensions). What runs on it keeps all its tensors
// where they belong.

#include <ATen/core/Tensor.h>

namespace fbt::testing {

inline const at::Device kStrictDevice{c10::DeviceType::PrivateUse1, 0};

// Operations run on the device since the program began.
std::int64_t strict_operations();

}  // namespace fbt::testing
