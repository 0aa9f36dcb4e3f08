#pragma once

// The engine on the CPU: weights packed for oneDNN's products, and kernels of
// our own for everything between them (kernels/).

#include <cstdint>
#include <span>
#include <vector>

#include "harness/decode/inference_model.h"
#include "harness/decode/kernels/kernels.h"
#include "harness/decode/linear.h"
#include "harness/decode/scratch.h"
#include "harness/model/weights.h"

namespace fbt {

class CpuModel : public InferenceModel {
 public:
  // Loads and packs tensor by tensor.
  CpuModel(const ModelConfig& config, const WeightSource& weights, at::ScalarType compute,
           bool batch_invariant);

  // The instruction set the kernels were compiled for.
  std::string instructions() const override { return kernels::instruction_set(); }
  at::Tensor embed(const at::Tensor& tokens) const override;
  at::Tensor plain_inputs(const at::Tensor& embeddings) const override;
  at::Tensor fused_inputs(const at::Tensor& previous_states, const at::Tensor& embeddings,
                          const at::Tensor& plain) const override;
  at::Tensor forward(const at::Tensor& inputs, std::span<const TokenRun> runs, Profile& profile,
                     const ResidualObserver& observer = {}) const override;
  at::Tensor logits(const at::Tensor& states) const override;
  // The same into `out`.
  void logits(const at::Tensor& states, const at::Tensor& out) const;
  PendingTokens choose(const at::Tensor& states, std::span<const TokenChoice> choices,
                       Profile& profile) const override;
  PendingScores score(const at::Tensor& states, std::span<const ScoredToken> wanted,
                      Profile& profile) const override;

  // For whoever works on the model's thread and is done before it goes on.
  Scratch& scratch() const { return scratch_; }

  // The layers' products with their weights for T tokens and nothing else: what
  // benchmarks hold forward() against.
  void products_only(std::int64_t tokens) const;

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
  // On the matrix unit where there is one and its order of sums may be used.
  template <typename S>
  auto attention_kernel() const -> void (*)(const kernels::AttentionArgs<S>&);
  template <typename S>
  void attend(std::int64_t index, std::span<const TokenRun> runs, Workspace& work) const;
  // work.normed -> work.projected.
  template <typename S>
  void feed_forward(const Layer& layer, Workspace& work) const;

  bool batch_invariant_;
  at::Tensor embedding_;  // [V,D]
  Linear head_;
  std::vector<Layer> layers_;
  std::vector<std::int64_t> index_in_kind_;  // of each layer among those of its kind
  at::Tensor final_norm_;
  Linear state_proj_, token_gate_;  // empty without feedback
  at::Tensor feedback_norm_;
  at::Tensor cosine_, sine_;  // [context, d/2] in wide type
  mutable Scratch scratch_;
};

}  // namespace fbt
