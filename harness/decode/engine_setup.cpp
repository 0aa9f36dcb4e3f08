#include "harness/decode/engine_setup.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <string>
#include <thread>

#include <ATen/Parallel.h>
#include <fmt/format.h>

#include "base/error.h"

namespace fbt {
namespace {

constexpr std::array<std::string_view, 3> kDtypeNames = {"float32", "bfloat16", "float32-fast"};

// The default cache budget: this share of the memory that is free.
constexpr double kCacheShare = 0.4;

// MemAvailable of /proc/meminfo, in bytes.
std::int64_t free_memory() {
  std::ifstream file("/proc/meminfo");
  std::string key;
  std::int64_t kibibytes = 0;
  for (std::string unit; file >> key >> kibibytes; std::getline(file, unit)) {
    if (key == "MemAvailable:") return kibibytes * 1024;
  }
  throw EnvironmentError("cannot read the free memory from /proc/meminfo; give --cache-gb");
}

}  // namespace

Dtype parse_dtype(std::string_view name) {
  const auto found = std::find(kDtypeNames.begin(), kDtypeNames.end(), name);
  if (found == kDtypeNames.end()) {
    throw InputError(unknown_name_message("dtype", name, {kDtypeNames.begin(), kDtypeNames.end()}));
  }
  return static_cast<Dtype>(found - kDtypeNames.begin());
}

std::string_view dtype_name(Dtype dtype) {
  return kDtypeNames[static_cast<std::size_t>(dtype)];
}

at::ScalarType compute_type(Dtype dtype) {
  switch (dtype) {
    case Dtype::kFloat32:
      return at::kDouble;
    case Dtype::kBfloat16:
      return at::kBFloat16;
    case Dtype::kFloat32Fast:
      break;
  }
  return at::kFloat;
}

std::int64_t cache_budget(const TorchBackendOptions& options) {
  if (options.cache_gb > 0) return static_cast<std::int64_t>(options.cache_gb * 1e9);
  return static_cast<std::int64_t>(kCacheShare * static_cast<double>(free_memory()));
}

void set_up_engine(const TorchBackendOptions& options) {
  if (options.device != "cpu") {
    throw InputError(fmt::format("unknown device '{}'; known: cpu", options.device));
  }
  if (options.batch_tokens < 1 || options.batch_rows < 1) {
    throw InputError("--batch-tokens and the rows of a batch must be at least 1");
  }
  if (options.threads < 0 || options.cache_gb < 0) {
    throw InputError("--threads and --cache-gb must not be negative");
  }
  const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  at::set_num_threads(options.threads > 0 ? options.threads : cores);
}

}  // namespace fbt
