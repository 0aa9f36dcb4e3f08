#pragma once

// The transformer for inference: packed weights, packed sequences, cached keys
// and values. T tokens of any number of sequences go through the layers
// together, without padding: matrix products over all of them, attention for
// each sequence. The same formulas as harness/model/transformer.h, which tests
// compare it with.
//
// Number formats: bfloat16 weights, activations and cache, with residuals, sums
// and logits in float32; or float64 throughout for float32 checkpoints, because
// the feedback loop amplifies rounding and a reference must not depend on the
// order of sums (see docs/engine.md).
//
// One thread calls; the work is shared out to LibTorch's threads.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <ATen/core/Tensor.h>

#include "harness/decode/kernels/kernels.h"
#include "harness/decode/kv_cache.h"
#include "harness/decode/linear.h"
#include "harness/decode/profile.h"
#include "harness/model/config.h"
#include "harness/model/weights.h"

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
  // Loads and packs tensor by tensor. `compute`: at::kBFloat16, at::kFloat or at::kDouble.
  InferenceModel(const ModelConfig& config, const WeightSource& weights, at::ScalarType compute,
                 bool batch_invariant);

  const ModelConfig& config() const { return config_; }
  at::ScalarType compute_type() const { return compute_; }
  at::ScalarType wide_type() const { return compute_ == at::kBFloat16 ? at::kFloat : compute_; }

  // e of each token: [T,D] in compute type.
  at::Tensor embed(std::span<const int> tokens) const;

  // Inputs u of pass 0: [T,D] in wide type.
  at::Tensor plain_inputs(const at::Tensor& embeddings) const;

  // Inputs u of fused positions from the states of the position before [T,D],
  // except where `plain` [T] is 1. [T,D] in wide type. Throws InputError if the
  // checkpoint has no feedback weights.
  at::Tensor fused_inputs(const at::Tensor& previous_states, const at::Tensor& embeddings,
                          std::span<const std::uint8_t> plain) const;

  // One pass: u [T,D] (used up) -> states s [T,D] in compute type. Writes the
  // keys and values of all tokens into their sequences' caches.
  at::Tensor forward(const at::Tensor& inputs, std::span<const TokenRun> runs, Profile& profile,
                     const ResidualObserver& observer = {}) const;

  // The layers' products with their weights for T tokens and nothing else: what
  // benchmarks hold forward() against.
  void products_only(std::int64_t tokens) const;

  // s [R,D] -> logits [R,V] in wide type.
  at::Tensor logits(const at::Tensor& states) const;

 private:
  struct Layer {
    at::Tensor input_norm, query_norm, key_norm;
    at::Tensor post_attention_norm, pre_feedforward_norm, post_feedforward_norm;
    Linear qkv;      // [H d + 2 K d + H, D]: queries, keys, values, head gates
    Linear output;   // [D, H d]
    Linear gate_up;  // [2 I, D]
    Linear down;     // [D, I]
  };
  struct Workspace;

  template <typename S>
  at::Tensor forward_as(const at::Tensor& inputs, std::span<const TokenRun> runs, Profile& profile,
                        const ResidualObserver& observer) const;
  template <typename S>
  void project_and_store(const Layer& layer, std::int64_t index, std::span<const TokenRun> runs,
                         Workspace& work) const;
  template <typename S>
  void attend(std::int64_t index, std::span<const TokenRun> runs, Workspace& work) const;

  ModelConfig config_;
  at::ScalarType compute_;
  at::Tensor embedding_;  // [V,D]
  Linear head_;
  std::vector<Layer> layers_;
  std::vector<std::int64_t> index_in_kind_;  // of each layer among those of its kind
  at::Tensor final_norm_;
  Linear state_proj_, token_gate_;  // empty without feedback
  at::Tensor feedback_norm_;
  at::Tensor cosine_, sine_;  // [context, d/2] in wide type
};

}  // namespace fbt
