#pragma once

// The engine's door for those that must not pay for LibTorch's headers: makes
// the Backend that runs a checkpoint on this machine.

#include <cstdint>
#include <memory>
#include <string>

#include "harness/backend/backend.h"

namespace fbt {

// kFloat32 is the reference: float32 weights, all arithmetic in float64, because
// the feedback loop amplifies rounding. kFloat32Fast computes in float32.
enum class Dtype { kFloat32, kBfloat16, kFloat32Fast };

// "float32", "bfloat16", "float32-fast". Throws InputError for other names.
Dtype parse_dtype(std::string_view name);
std::string_view dtype_name(Dtype dtype);

struct TorchBackendOptions {
  std::string checkpoint;         // folder, or "random:CONFIG.json" (see open_checkpoint)
  std::uint64_t weight_seed = 1;  // of random weights
  std::string tokenizer;          // tokenizer.json; empty: the checkpoint's own, if any
  Dtype dtype = Dtype::kFloat32;
  std::string device = "cpu";        // "cpu", "cuda", "cuda:1"
  int threads = 0;                   // of the model's operations; 0: all cores
  std::int64_t batch_tokens = 2048;  // tokens of one prefill pass
  int batch_rows = 64;               // rows of one decoding step
  double cache_gb = 0;               // key/value cache; 0: a share of the free memory
  // Where that would be more: only what a batch and a context of the model's length take
  // in so many passes (0: the share all the same). For work that asks for nothing twice.
  int lean_cache_passes = 0;
  // Results equal bit for bit whatever runs beside them (CPU; slower).
  bool batch_invariant = false;
};

// Loads the weights (seconds for gigabytes). The backend's calls must not
// overlap; tokenize() may be called from any thread at any time. Throws
// InputError for what is wrong with the checkpoint or the options.
// A random checkpoint without a tokenizer generates from prompt_tokens only,
// and its completions have no text.
std::unique_ptr<Backend> make_torch_backend(const TorchBackendOptions& options);

}  // namespace fbt
