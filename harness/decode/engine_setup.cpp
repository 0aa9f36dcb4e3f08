#include "harness/decode/engine_setup.h"

#include <algorithm>
#include <array>
#include <string>
#include <thread>

#include <ATen/Parallel.h>
#include <fmt/format.h>

#include "base/error.h"
#include "harness/decode/cpu_model.h"
#include "harness/decode/device/device_model.h"
#include "harness/decode/device/engine_device.h"
#include "harness/decode/heap.h"
#include "harness/model/weights.h"

namespace fbt {
namespace {

constexpr std::array<std::string_view, 3> kDtypeNames = {"float32", "bfloat16", "float32-fast"};

// The default cache budget: this share of the memory that is free.
constexpr double kCacheShare = 0.4;
// The same, in bytes, on devices whose LibTorch cannot tell what is free.
constexpr std::int64_t kUnknownMemoryCache = std::int64_t{4} << 30;

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

namespace {

// What is computed in: float64 for kFloat32 (see Dtype).
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

// Bytes the key/value cache takes by default.
std::int64_t share_of_free_memory(at::Device device) {
  const std::optional<std::int64_t> free = free_memory(device);
  if (!free) return kUnknownMemoryCache;
  return static_cast<std::int64_t>(kCacheShare * static_cast<double>(*free));
}

// Bytes that a batch and a context take in `passes` passes. Sequences of a few tokens
// fill but a part of the slots they are given.
std::int64_t lean_cache(const TorchBackendOptions& options, const InferenceModel& model) {
  constexpr std::int64_t kSlotsAToken = 4;
  const KvPool pool(model.config(), model.compute_type(), 0);
  return options.lean_cache_passes * (pool.tail_bytes(model.config().max_position_embeddings) +
                                      kSlotsAToken * options.batch_tokens *
                                          (pool.bytes_per_position(LayerKind::kFull) +
                                           pool.bytes_per_position(LayerKind::kSliding)));
}

// Bytes the key/value cache may take.
std::int64_t cache_budget(const TorchBackendOptions& options, const InferenceModel& model) {
  if (options.cache_gb > 0) return static_cast<std::int64_t>(options.cache_gb * 1e9);
  const std::int64_t share = share_of_free_memory(model.device());
  return options.lean_cache_passes > 0 ? std::min(share, lean_cache(options, model)) : share;
}

}  // namespace

std::unique_ptr<InferenceModel> make_model(const TorchBackendOptions& options,
                                           const Checkpoint& checkpoint) {
  const EngineDevice engine = parse_device(options.device);
  const at::ScalarType compute = compute_type(options.dtype);
  const std::unique_ptr<WeightSource> weights = open_weights(checkpoint);
  if (engine.portable) {
    return std::make_unique<DeviceModel>(checkpoint.config, *weights, compute, engine.device);
  }
  return std::make_unique<CpuModel>(checkpoint.config, *weights, compute, options.batch_invariant);
}

KvPool make_pool(const TorchBackendOptions& options, const InferenceModel& model) {
  return KvPool(model.config(), model.compute_type(), cache_budget(options, model), model.arena());
}

void set_up_engine(const TorchBackendOptions& options) {
  if (parse_device(options.device).portable && options.batch_invariant) {
    throw InputError(fmt::format(
        "--batch-invariant needs --device cpu (here: {}), whose products can be of one shape",
        options.device));
  }
  if (options.batch_tokens < 1 || options.batch_rows < 1) {
    throw InputError("--batch-tokens and the rows of a batch must be at least 1");
  }
  if (options.threads < 0 || options.cache_gb < 0) {
    throw InputError("--threads and --cache-gb must not be negative");
  }
  const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  at::set_num_threads(options.threads > 0 ? options.threads : cores);
  set_large_blocks_apart();
}

}  // namespace fbt
