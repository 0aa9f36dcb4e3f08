#pragma once

// The options that commands over a checkpoint have in common.

#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "harness/decode/torch_backend.h"

namespace fbt::cli {

inline constexpr const char* kDeviceHelp =
    "cpu, cuda, cuda:N, or cpu:portable (what CUDA runs, on the CPU)";

struct EngineArguments {
  TorchBackendOptions options;
  std::string dtype = "float32";
};

// Adds --checkpoint (required), --dtype, --device, --threads, ... to a command.
void add_engine_options(CLI::App& command, EngineArguments& arguments);

// The options as given. Throws InputError for an unknown dtype.
TorchBackendOptions engine_options(const EngineArguments& arguments);

}  // namespace fbt::cli
