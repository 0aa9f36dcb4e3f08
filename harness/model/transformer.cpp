#include "harness/model/transformer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <ATen/ATen.h>
#include <fmt/format.h>

#include "base/error.h"
#include "harness/model/causal_attention.h"
#include "harness/model/head_gate.h"
#include "harness/model/head_rotation.h"
#include "harness/model/residual_norm.h"
#include "harness/model/rms_norm.h"
#include "harness/model/rotary.h"
#include "harness/model/swiglu.h"

namespace fbt {

Transformer::Transformer(ModelConfig config, NamedTensors parameters)
    : config_(std::move(config)), parameters_(std::move(parameters)) {
  const std::vector<TensorSpec> specs = tensor_list(config_);
  std::size_t next = 0;
  // tensor_list()'s order is the order of the fields below.
  const auto take = [&] {
    if (next >= parameters_.size() || parameters_[next].first != specs[next].name) {
      throw InputError(
          fmt::format("the model's tensor number {} should be {}", next, specs[next].name));
    }
    return parameters_[next++].second;
  };
  embedding_ = take();
  for (std::int64_t i = 0; i < config_.num_hidden_layers; ++i) {
    Layer layer;
    layer.input_norm = take();
    layer.query = take();
    layer.key = take();
    layer.value = take();
    layer.head_gate = take();
    layer.query_norm = take();
    layer.key_norm = take();
    layer.output = take();
    layer.post_attention_norm = take();
    layer.pre_feedforward_norm = take();
    layer.gate = take();
    layer.up = take();
    layer.down = take();
    layer.post_feedforward_norm = take();
    layers_.push_back(std::move(layer));
  }
  final_norm_ = take();
  if (config_.latent_feedback) {
    state_proj_ = take();
    token_gate_ = take();
    feedback_norm_ = take();
  }
}

at::Tensor Transformer::norm(const at::Tensor& input, const at::Tensor& gain) const {
  return rms_norm(input, gain, config_.rms_norm_eps);
}

at::Tensor Transformer::embed(const at::Tensor& tokens) const {
  return at::embedding(embedding_, tokens);
}

at::Tensor Transformer::fused_input(const at::Tensor& previous_states,
                                    const at::Tensor& embeddings) const {
  if (!has_feedback()) {
    throw InputError("the checkpoint has no feedback weights; only the standard mode works");
  }
  return norm(
      at::linear(previous_states, state_proj_) * at::sigmoid(at::linear(embeddings, token_gate_)),
      feedback_norm_);
}

at::Tensor Transformer::plain_positions(const at::Tensor& tokens, std::int64_t plain_prefix) const {
  const at::Tensor position = at::arange(tokens.size(1), tokens.options());
  at::Tensor plain = (position < std::max<std::int64_t>(plain_prefix, 1)).expand_as(tokens);
  if (config_.bos_token_id) plain = plain.logical_or(tokens == *config_.bos_token_id);
  return plain;
}

at::Tensor Transformer::fused_pass_inputs(const at::Tensor& embeddings, const at::Tensor& states,
                                          const at::Tensor& plain) const {
  // Position 0 has no predecessor; it is plain, so its row may be anything.
  const at::Tensor previous = at::roll(states, 1, 1);
  return at::where(plain.unsqueeze(-1), embeddings, fused_input(previous, embeddings));
}

at::Tensor Transformer::attention(const Layer& layer, const at::Tensor& normed,
                                  const Rotations& rotations, std::int64_t window) const {
  const std::int64_t batch = normed.size(0);
  const std::int64_t length = normed.size(1);
  const auto rotated = [&](const at::Tensor& weight, const at::Tensor& gain,
                           const at::Tensor& cosine, const at::Tensor& sine) {
    return rotated_heads(at::linear(normed, weight), gain, config_.rms_norm_eps, cosine, sine);
  };
  // [B,heads,T,d]
  const at::Tensor query =
      rotated(layer.query, layer.query_norm, rotations.scaled_cosine, rotations.scaled_sine);
  const at::Tensor key = rotated(layer.key, layer.key_norm, rotations.cosine, rotations.sine);
  const at::Tensor value =
      at::linear(normed, layer.value).view({batch, length, -1, config_.head_dim}).transpose(1, 2);
  const at::Tensor gate = at::sigmoid(at::linear(normed, layer.head_gate));  // [B,T,H]
  const at::Tensor mixed = causal_attention(query, key, value, window);
  return at::linear(gated_heads(mixed, gate), layer.output);
}

at::Tensor Transformer::feedforward(const Layer& layer, const at::Tensor& normed) const {
  return at::linear(swiglu(at::linear(normed, layer.gate), at::linear(normed, layer.up)),
                    layer.down);
}

Transformer::Rotations Transformer::rotations(const at::Tensor& inputs) const {
  const at::Tensor angle = rotary_angles(config_, inputs.size(1), inputs.device());  // [T,d/2]
  const at::ScalarType type = at::promote_types(inputs.scalar_type(), at::kFloat);
  // The scores' scale goes with the queries: fewer numbers than the scores.
  const double scale = 1.0 / std::sqrt(static_cast<double>(config_.head_dim));
  return {angle.cos().to(type), angle.sin().to(type), (angle.cos() * scale).to(type),
          (angle.sin() * scale).to(type)};
}

at::Tensor Transformer::pass(const at::Tensor& inputs,
                             std::vector<at::Tensor>* residual_stream) const {
  const std::int64_t length = inputs.size(1);
  const Rotations rotations = this->rotations(inputs);
  // A block reads the norm of the stream; what follows the last layer is the states.
  at::Tensor hidden = inputs;  // [B,T,D]
  at::Tensor normed = norm(hidden, layers_.front().input_norm);
  const auto add = [&](const at::Tensor& branch, const at::Tensor& gain, const at::Tensor& next) {
    const ResidualNorm sum = residual_norm(hidden, branch, gain, config_.residual_multiplier, next,
                                           config_.rms_norm_eps);
    hidden = sum.hidden;
    normed = sum.normed;
  };
  if (residual_stream != nullptr) residual_stream->push_back(hidden);
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    const Layer& layer = layers_[i];
    const bool is_full = config_.is_full_attention(static_cast<std::int64_t>(i));
    add(attention(layer, normed, rotations, is_full ? length : config_.sliding_window),
        layer.post_attention_norm, layer.pre_feedforward_norm);
    add(feedforward(layer, normed), layer.post_feedforward_norm,
        i + 1 < layers_.size() ? layers_[i + 1].input_norm : final_norm_);
    if (residual_stream != nullptr) residual_stream->push_back(hidden);
  }
  return normed;
}

at::Tensor Transformer::states(const at::Tensor& tokens, int feedback_steps,
                               std::int64_t plain_prefix) const {
  const at::Tensor embeddings = embed(tokens);
  const at::Tensor plain = plain_positions(tokens, plain_prefix);
  at::Tensor states = pass(embeddings);
  for (int step = 0; step < feedback_steps; ++step) {
    states = pass(fused_pass_inputs(embeddings, states, plain));
  }
  return states;
}

at::Tensor Transformer::logits(const at::Tensor& states) const {
  return at::linear(states, embedding_);
}

}  // namespace fbt
