#pragma once

// A checkpoint's weights as tensors: read from safetensors or drawn at random,
// one tensor at a time so that whoever packs them never holds them twice.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>

#include "harness/model/checkpoint.h"
#include "harness/model/tensor_list.h"

namespace fbt {

class WeightSource {
 public:
  virtual ~WeightSource() = default;

  // The tensor of `spec`, contiguous on the CPU, converted to `dtype` (rounded
  // to nearest even). The caller owns it. Throws InputError if it is not there.
  virtual at::Tensor load(const TensorSpec& spec, at::ScalarType dtype) const = 0;
};

// Opens the checkpoint's files and checks every name, shape and dtype, or
// prepares random weights. Throws InputError.
std::unique_ptr<WeightSource> open_weights(const Checkpoint& checkpoint);

// Random weights of `seed`: projections and embeddings uniform with standard
// deviation 1/sqrt(columns) (so that logits have a standard deviation near 1),
// gains 1. Each element depends on (seed, tensor name, index) only.
std::unique_ptr<WeightSource> random_weights(std::uint64_t seed);

// Tensors by name, in tensor_list() order.
using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;

NamedTensors load_all(const WeightSource& source, const ModelConfig& config, at::ScalarType dtype);

// Writes config.json, model.safetensors (each tensor in its own dtype: float32,
// bfloat16 or float16) and fbt.json into `folder`, made if it is not there; each
// file is replaced atomically. Throws InputError if the tensors are not those of
// `config`, EnvironmentError if a file cannot be written.
void save_checkpoint(const std::filesystem::path& folder, const ModelConfig& config,
                     const CheckpointFacts& facts, const NamedTensors& tensors);

}  // namespace fbt
