#pragma once

// The engine on any device LibTorch has, as LibTorch's own operations: packed
// tokens, an arena of keys and values on the device, fused attention where
// LibTorch has it, tokens chosen on the device. Nothing here waits for the
// device; only PendingTokens::wait() does.
//
// On the CPU it is what the tests hold against CpuModel ("cpu:portable").

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "harness/decode/device/kv_arena.h"
#include "harness/decode/inference_model.h"
#include "harness/model/weights.h"

namespace fbt {

class DeviceModel : public InferenceModel {
 public:
  // Loads tensor by tensor.
  DeviceModel(const ModelConfig& config, const WeightSource& weights, at::ScalarType compute,
              at::Device device);

  std::string instructions() const override;
  std::shared_ptr<KvArena> arena() const override { return arena_; }
  int steps_ahead() const override { return 1; }
  at::Tensor embed(const at::Tensor& tokens) const override;
  at::Tensor plain_inputs(const at::Tensor& embeddings) const override;
  at::Tensor fused_inputs(const at::Tensor& previous_states, const at::Tensor& embeddings,
                          const at::Tensor& plain) const override;
  at::Tensor forward(const at::Tensor& inputs, std::span<const TokenRun> runs, Profile& profile,
                     const ResidualObserver& observer = {}) const override;
  at::Tensor logits(const at::Tensor& states) const override;
  PendingTokens choose(const at::Tensor& states, std::span<const TokenChoice> choices,
                       Profile& profile) const override;
  PendingScores score(const at::Tensor& states, std::span<const ScoredToken> wanted,
                      Profile& profile) const override;

 private:
  struct Layer {
    LayerKind kind;
    std::int64_t index_in_kind;  // among the layers of its kind
    // Gains in wide type.
    at::Tensor input_norm, query_norm, key_norm;
    at::Tensor post_attention_norm, pre_feedforward_norm, post_feedforward_norm;
    at::Tensor qkv;      // [H d + 2 K d + H, D]: queries, keys, values, head gates
    at::Tensor output;   // [D, H d]
    at::Tensor gate_up;  // [2 I, D]
    at::Tensor down;     // [D, I]
  };
  struct Pass;

  // RMSNorm over the last dimension, in wide type.
  at::Tensor norm(const at::Tensor& wide, const at::Tensor& gain) const;
  at::Tensor attention(const Layer& layer, const at::Tensor& normed, const Pass& pass) const;
  at::Tensor feedforward(const Layer& layer, const at::Tensor& normed) const;

  std::shared_ptr<KvArena> arena_;
  at::Tensor embedding_;  // [V,D]
  std::vector<Layer> layers_;
  at::Tensor final_norm_;
  at::Tensor state_proj_, token_gate_, feedback_norm_;  // undefined without feedback
  at::Tensor cosine_, sine_;                            // [context, 1, d/2] in wide type
};

}  // namespace fbt
