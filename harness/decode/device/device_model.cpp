#include "harness/decode/device/device_model.h"

#include <optional>
#include <utility>

#include <ATen/ATen.h>
#include <fmt/format.h>

#include "harness/decode/device/attention_plan.h"
#include "harness/decode/device/device_chooser.h"
#include "harness/decode/device/transfer.h"
#include "harness/decode/weight_loader.h"
#include "harness/model/libtorch_version.h"
#include "harness/model/rotary.h"

namespace fbt {

// What all layers of a pass share.
struct DeviceModel::Pass {
  at::Tensor cosine, sine;                // [T, 1, d/2]
  std::optional<AttentionPlan> plans[2];  // by LayerKind; of the kinds there are
  Profile* profile;
};

DeviceModel::DeviceModel(const ModelConfig& config, const WeightSource& weights,
                         at::ScalarType compute, at::Device device)
    : InferenceModel(config, compute, device),
      arena_(std::make_shared<KvArena>(config, compute, device)) {
  const WeightLoader loader(config, weights, compute);
  const auto matrix = [&](const std::string& name) { return loader.take(name).to(device); };
  const auto gain = [&](const std::string& name) {
    return loader.take(name).to(device, wide_type());
  };
  embedding_ = matrix("model.embed_tokens.weight");
  std::int64_t of_kind[2] = {0, 0};
  for (std::int64_t i = 0; i < config.num_hidden_layers; ++i) {
    const auto name = [&](std::string_view part) {
      return fmt::format("model.layers.{}.{}.weight", i, part);
    };
    Layer layer;
    layer.kind = config.is_full_attention(i) ? LayerKind::kFull : LayerKind::kSliding;
    layer.index_in_kind = of_kind[static_cast<std::size_t>(layer.kind)]++;
    layer.input_norm = gain(name("input_layernorm"));
    layer.qkv = at::cat({matrix(name("self_attn.q_proj")), matrix(name("self_attn.k_proj")),
                         matrix(name("self_attn.v_proj")), matrix(name("self_attn.head_gate"))});
    layer.query_norm = gain(name("self_attn.q_norm"));
    layer.key_norm = gain(name("self_attn.k_norm"));
    layer.output = matrix(name("self_attn.o_proj"));
    layer.post_attention_norm = gain(name("post_attention_layernorm"));
    layer.pre_feedforward_norm = gain(name("pre_feedforward_layernorm"));
    layer.gate_up = at::cat({matrix(name("mlp.gate_proj")), matrix(name("mlp.up_proj"))});
    layer.down = matrix(name("mlp.down_proj"));
    layer.post_feedforward_norm = gain(name("post_feedforward_layernorm"));
    layers_.push_back(std::move(layer));
  }
  final_norm_ = gain("model.norm.weight");
  if (config.latent_feedback) {
    state_proj_ = matrix("model.feedback.state_proj.weight");
    token_gate_ = matrix("model.feedback.token_gate.weight");
    feedback_norm_ = gain("model.feedback.norm.weight");
  }
  const at::Tensor angle = rotary_angles(config, config.max_position_embeddings).unsqueeze(1);
  cosine_ = angle.cos().to(device, wide_type());
  sine_ = angle.sin().to(device, wide_type());
}

std::string DeviceModel::instructions() const {
  return kHasFusedAttention ? "libtorch, fused attention" : "libtorch";
}

at::Tensor DeviceModel::norm(const at::Tensor& wide, const at::Tensor& gain) const {
  const at::Tensor mean_square = wide.square().mean(-1, /*keepdim=*/true);
  return wide * (mean_square + config().rms_norm_eps).rsqrt() * gain;
}

at::Tensor DeviceModel::embed(const at::Tensor& tokens) const {
  return embedding_.index_select(0, tokens);
}

at::Tensor DeviceModel::plain_inputs(const at::Tensor& embeddings) const {
  return embeddings.to(wide_type(), /*non_blocking=*/false, /*copy=*/true);
}

at::Tensor DeviceModel::fused_inputs(const at::Tensor& previous_states,
                                     const at::Tensor& embeddings, const at::Tensor& plain) const {
  require_feedback();
  const at::Tensor value = at::linear(previous_states, state_proj_).to(wide_type());
  const at::Tensor gate = at::linear(embeddings, token_gate_).to(wide_type());
  return at::where(plain.unsqueeze(1), embeddings.to(wide_type()),
                   norm(value * gate.sigmoid(), feedback_norm_));
}

at::Tensor DeviceModel::attention(const Layer& layer, const at::Tensor& normed,
                                  const Pass& pass) const {
  const std::int64_t tokens = normed.size(0);
  const std::int64_t d = config().head_dim;
  const std::int64_t width = config().num_attention_heads * d;
  const std::int64_t key_width = config().num_key_value_heads * d;
  const std::vector<at::Tensor> parts =
      at::linear(normed, layer.qkv)
          .split_with_sizes({width, key_width, key_width, config().num_attention_heads}, 1);
  const Profile::Timer timer(*pass.profile, EngineStage::kAttention);
  const auto turned = [&](const at::Tensor& x, const at::Tensor& gain) {  // [T,heads,d]
    return rotate_halves(norm(x.reshape({tokens, -1, d}).to(wide_type()), gain), pass.cosine,
                         pass.sine)
        .to(compute_type());
  };
  const AttentionPlan& plan = *pass.plans[static_cast<std::size_t>(layer.kind)];
  const at::Tensor keys = arena_->keys(layer.kind, layer.index_in_kind);
  const at::Tensor values = arena_->values(layer.kind, layer.index_in_kind);
  plan.store(turned(parts[1], layer.key_norm).view({tokens, key_width}), parts[2], keys, values);
  const at::Tensor mixed = plan.attend(turned(parts[0], layer.query_norm), keys, values);
  const at::Tensor gate = parts[3].to(wide_type()).sigmoid().unsqueeze(2);  // [T,H,1]
  const at::Tensor gated = mixed.view({tokens, -1, d}).to(wide_type()) * gate;
  return gated.to(compute_type()).view({tokens, width});
}

at::Tensor DeviceModel::feedforward(const Layer& layer, const at::Tensor& normed) const {
  const std::vector<at::Tensor> parts = at::linear(normed, layer.gate_up).chunk(2, 1);
  const at::Tensor activated = at::silu(parts[0].to(wide_type())) * parts[1].to(wide_type());
  return at::linear(activated.to(compute_type()), layer.down);
}

at::Tensor DeviceModel::forward(const at::Tensor& inputs, std::span<const TokenRun> runs,
                                Profile& profile, const ResidualObserver& observer) const {
  Pass pass;
  pass.profile = &profile;
  std::vector<std::int64_t> positions;
  for (const TokenRun& run : runs) {
    for (std::int64_t i = 0; i < run.count; ++i) positions.push_back(run.position + i);
  }
  const at::Tensor position = to_device(std::span(std::as_const(positions)), device());
  pass.cosine = cosine_.index_select(0, position);
  pass.sine = sine_.index_select(0, position);
  for (const Layer& layer : layers_) {
    std::optional<AttentionPlan>& plan = pass.plans[static_cast<std::size_t>(layer.kind)];
    if (!plan) plan.emplace(*this, layer.kind, runs, inputs.size(0));
  }
  at::Tensor residual = inputs;  // [T,D] in wide type
  const auto add = [&](const at::Tensor& projected, const at::Tensor& gain) {
    residual.add_(norm(projected.to(wide_type()), gain), config().residual_multiplier);
  };
  if (observer) observer(residual);
  for (const Layer& layer : layers_) {
    const at::Tensor normed = norm(residual, layer.input_norm).to(compute_type());
    add(at::linear(attention(layer, normed, pass), layer.output), layer.post_attention_norm);
    add(feedforward(layer, norm(residual, layer.pre_feedforward_norm).to(compute_type())),
        layer.post_feedforward_norm);
    if (observer) observer(residual);
  }
  return norm(residual, final_norm_).to(compute_type());
}

at::Tensor DeviceModel::logits(const at::Tensor& states) const {
  return wide_product(states, embedding_, wide_type());
}

PendingTokens DeviceModel::choose(const at::Tensor& states, std::span<const TokenChoice> choices,
                                  Profile& profile) const {
  return choose_on_device(*this, states, choices, profile);
}

PendingScores DeviceModel::score(const at::Tensor& states, std::span<const ScoredToken> wanted,
                                 Profile& profile) const {
  return score_on_device(*this, states, wanted, profile);
}

}  // namespace fbt
