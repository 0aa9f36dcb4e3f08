#pragma once

// From options to what the engine is made of.

#include <cstdint>

#include <c10/core/ScalarType.h>

#include "harness/decode/torch_backend.h"

namespace fbt {

// What is computed in: float64 for kFloat32 (see Dtype).
at::ScalarType compute_type(Dtype dtype);

// Bytes the key/value cache may take.
std::int64_t cache_budget(const TorchBackendOptions& options);

// Checks the options and sets LibTorch's threads. Throws InputError.
void set_up_engine(const TorchBackendOptions& options);

}  // namespace fbt
