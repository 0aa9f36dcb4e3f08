#pragma once

// The full-bandwidth transformer of DESIGN.md §1, written as its formulas: every
// operation is out of place and differentiable, sequences are whole, nothing is
// cached. Training runs on it, and it is the slow, obvious version that the
// engine (harness/decode) is tested against.
//
// To train: set requires_grad on the parameters' tensors (they are leaves that
// share storage with nothing else) and step on them in place under NoGradGuard;
// the next call sees the new values.
//
// Shapes: B sequences, T positions, D hidden, V vocabulary. Methods are const and
// may run on several threads as long as nobody writes the parameters.

#include <cstdint>
#include <vector>

#include <ATen/core/Tensor.h>

#include "harness/model/config.h"
#include "harness/model/weights.h"

namespace fbt {

class Transformer {
 public:
  // `parameters` as load_all() gives them, all of one dtype and device; they
  // are shared, not copied. Throws InputError for other names.
  Transformer(ModelConfig config, NamedTensors parameters);

  const ModelConfig& config() const { return config_; }
  const NamedTensors& parameters() const { return parameters_; }
  bool has_feedback() const { return config_.latent_feedback; }

  // tokens int64 [B,T] -> e [B,T,D].
  at::Tensor embed(const at::Tensor& tokens) const;

  // RMSNorm((W_U s) * sigmoid(W_G e); feedback.norm), position by position:
  // `previous_states` holds s of the position before. Both [..., D] -> [..., D].
  at::Tensor fused_input(const at::Tensor& previous_states, const at::Tensor& embeddings) const;

  // Where a token's input is plain in every pass: position 0, BOS, and the
  // first `plain_prefix` positions. tokens [B,T] -> bool [B,T].
  at::Tensor plain_positions(const at::Tensor& tokens, std::int64_t plain_prefix = 0) const;

  // The inputs of a fused pass: the states of the pass before, shifted right by
  // one and fused, except where `plain` [B,T] says so. [B,T,D].
  at::Tensor fused_pass_inputs(const at::Tensor& embeddings, const at::Tensor& states,
                               const at::Tensor& plain) const;

  // One pass: inputs u [B,T,D] -> states s = RMSNorm(h^L; model.norm) [B,T,D].
  // `residual_stream`, if given, receives L+1 tensors [B,T,D]: the input and
  // what each layer leaves, before the final norm.
  at::Tensor pass(const at::Tensor& inputs,
                  std::vector<at::Tensor>* residual_stream = nullptr) const;

  // Pass 0 and `feedback_steps` fused passes -> the last pass's states [B,T,D].
  at::Tensor states(const at::Tensor& tokens, int feedback_steps,
                    std::int64_t plain_prefix = 0) const;

  // s [..., D] -> s E^T [..., V].
  at::Tensor logits(const at::Tensor& states) const;

 private:
  struct Layer {
    at::Tensor input_norm, query, key, value, head_gate, query_norm, key_norm, output;
    at::Tensor post_attention_norm, pre_feedforward_norm, gate, up, down, post_feedforward_norm;
  };

  struct Rotations {  // [T,d/2], float32 or wider; the scaled ones for queries
    at::Tensor cosine, sine, scaled_cosine, scaled_sine;
  };

  Rotations rotations(const at::Tensor& inputs) const;
  at::Tensor attention(const Layer& layer, const at::Tensor& normed, const Rotations& rotations,
                       std::int64_t window) const;
  at::Tensor feedforward(const Layer& layer, const at::Tensor& normed) const;
  at::Tensor norm(const at::Tensor& input, const at::Tensor& gain) const;

  ModelConfig config_;
  NamedTensors parameters_;
  at::Tensor embedding_;  // [V,D]
  std::vector<Layer> layers_;
  at::Tensor final_norm_;                               // [D]
  at::Tensor state_proj_, token_gate_, feedback_norm_;  // undefined without feedback
};

}  // namespace fbt
