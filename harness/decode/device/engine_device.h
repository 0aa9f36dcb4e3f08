#pragma once

// From --device to a device LibTorch has.

#include <cstdint>
#include <optional>
#include <string_view>

#include <c10/core/Device.h>

namespace fbt {

struct EngineDevice {
  c10::Device device;
  bool portable;  // DeviceModel runs on it, not CpuModel
};

// "cpu", "cpu:portable" (what other devices run, on the CPU), "cuda" (the first
// one), "cuda:N". Throws InputError for other names and for devices that this
// LibTorch does not offer on this machine, naming those it does.
EngineDevice parse_device(std::string_view name);

// Bytes that are free on the device; nothing where this LibTorch cannot tell.
// Throws EnvironmentError if the host's cannot be found out.
std::optional<std::int64_t> free_memory(c10::Device device);

}  // namespace fbt
