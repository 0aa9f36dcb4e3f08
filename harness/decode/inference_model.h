#pragma once

// The transformer for inference, as the engine sees it: packed sequences, cached
// keys and values. T tokens of any number of sequences go through the layers
// together, without padding: matrix products over all of them, attention for
// each sequence. The same formulas as harness/model/transformer.h, which tests
// compare implementations with:
//
//   CpuModel (cpu_model.h)            hand-made kernels, packed weights
//   DeviceModel (device/...)          LibTorch's operations, on any device
//
// Number formats: bfloat16 weights, activations and cache, with residuals, sums
// and logits in float32; or float64 throughout for float32 checkpoints, because
// the feedback loop amplifies rounding and a reference must not depend on the
// order of sums (see docs/engine.md).
//
// Tensors are on the model's device unless said otherwise. One thread calls.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include <ATen/core/Tensor.h>

#include "harness/decode/kv_cache.h"
#include "harness/decode/profile.h"
#include "harness/decode/token_choice.h"
#include "harness/model/config.h"

namespace fbt {

// Consecutive new positions of one sequence within a pass.
struct TokenRun {
  std::int64_t first_row = 0;  // of the packed tokens
  std::int64_t count = 0;
  // Already holds room for these positions, and ends with them or later.
  const KvSequence* sequence = nullptr;
  std::int64_t position = 0;  // of the first
};

// Sees the residual stream of a pass: once before the first layer, then after
// each layer. [T,D] in wide type, valid during the call.
using ResidualObserver = std::function<void(const at::Tensor& residual)>;

class InferenceModel {
 public:
  // `compute`: at::kBFloat16, at::kFloat or at::kDouble.
  InferenceModel(const ModelConfig& config, at::ScalarType compute, at::Device device)
      : config_(config), compute_(compute), device_(device) {}
  virtual ~InferenceModel() = default;
  InferenceModel(const InferenceModel&) = delete;
  InferenceModel& operator=(const InferenceModel&) = delete;

  const ModelConfig& config() const { return config_; }
  at::ScalarType compute_type() const { return compute_; }
  at::ScalarType wide_type() const { return compute_ == at::kBFloat16 ? at::kFloat : compute_; }
  at::Device device() const { return device_; }

  // What its operations are made of, for the record of a run.
  virtual std::string instructions() const = 0;

  // Where the cache's blocks live; null: each has an array of its own.
  virtual std::shared_ptr<KvArena> arena() const { return nullptr; }

  // Decoding steps that may be begun before the host has seen an earlier one's
  // tokens, so that the device never waits for the host.
  virtual int steps_ahead() const { return 0; }

  // e of each token: [T] int64 -> [T,D] in compute type.
  virtual at::Tensor embed(const at::Tensor& tokens) const = 0;

  // Inputs u of pass 0: [T,D] in wide type.
  virtual at::Tensor plain_inputs(const at::Tensor& embeddings) const = 0;

  // Inputs u of fused positions from the states of the position before [T,D],
  // except where `plain` (bool [T]) is set. [T,D] in wide type. Throws InputError
  // if the checkpoint has no feedback weights.
  virtual at::Tensor fused_inputs(const at::Tensor& previous_states, const at::Tensor& embeddings,
                                  const at::Tensor& plain) const = 0;

  // One pass: u [T,D] (used up) -> states s [T,D] in compute type. Writes the
  // keys and values of all tokens into their sequences' caches.
  virtual at::Tensor forward(const at::Tensor& inputs, std::span<const TokenRun> runs,
                             Profile& profile, const ResidualObserver& observer = {}) const = 0;

  // s [R,D] -> logits [R,V] in wide type.
  virtual at::Tensor logits(const at::Tensor& states) const = 0;

  // From states to tokens and log-likelihoods: the output head goes over a few
  // states at a time, so that [tokens, vocabulary] never stands in memory whole.

  // states [R,D] -> the token that choices[r] picks for each row.
  virtual PendingTokens choose(const at::Tensor& states, std::span<const TokenChoice> choices,
                               Profile& profile) const = 0;

  // states [R,D]; `wanted` in any order, several per row if need be. The result
  // i belongs to wanted[i]. Rows that nobody asks for cost nothing.
  virtual PendingScores score(const at::Tensor& states, std::span<const ScoredToken> wanted,
                              Profile& profile) const = 0;

 protected:
  // Throws InputError if the checkpoint has no feedback weights.
  void require_feedback() const;

 private:
  ModelConfig config_;
  at::ScalarType compute_;
  at::Device device_;
};

}  // namespace fbt
