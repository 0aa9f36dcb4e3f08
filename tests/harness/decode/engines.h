#pragma once

// The engine's implementations, for tests that hold for each of them.

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "harness/decode/cpu_model.h"
#include "harness/decode/device/device_model.h"

namespace fbt::testing {

enum class Engine { kKernels, kPortable };

inline constexpr Engine kEngines[] = {Engine::kKernels, Engine::kPortable};

// What --device calls it.
inline std::string device_of(Engine engine) {
  return engine == Engine::kKernels ? "cpu" : "cpu:portable";
}

inline std::string engine_case_name(const ::testing::TestParamInfo<Engine>& info) {
  return info.param == Engine::kKernels ? "Kernels" : "Portable";
}

// `batch_invariant` is for the kernels; the portable one cannot be.
inline std::unique_ptr<InferenceModel> make_engine(Engine engine, const ModelConfig& config,
                                                   const WeightSource& weights,
                                                   at::ScalarType compute, bool batch_invariant) {
  if (engine == Engine::kPortable) {
    return std::make_unique<DeviceModel>(config, weights, compute, at::kCPU);
  }
  return std::make_unique<CpuModel>(config, weights, compute, batch_invariant);
}

}  // namespace fbt::testing
