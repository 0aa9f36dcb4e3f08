#include "harness/model/tensor_list.h"

#include <array>

#include <fmt/format.h>

namespace fbt {

std::string_view tensor_group_name(TensorGroup group) {
  constexpr std::array<std::string_view, 5> kNames = {"embedding", "attention", "mlp", "norm",
                                                      "feedback"};
  return kNames[static_cast<std::size_t>(group)];
}

std::int64_t TensorSpec::elements() const {
  std::int64_t product = 1;
  for (const std::int64_t size : shape) product *= size;
  return product;
}

std::vector<TensorSpec> tensor_list(const ModelConfig& config) {
  const std::int64_t hidden = config.hidden_size;
  const std::int64_t inner = config.intermediate_size;
  const std::int64_t head_dim = config.head_dim;
  const std::int64_t heads = config.num_attention_heads;
  const std::int64_t query = heads * head_dim;
  const std::int64_t key_value = config.num_key_value_heads * head_dim;

  std::vector<TensorSpec> list;
  list.push_back(
      {"model.embed_tokens.weight", {config.vocab_size, hidden}, TensorGroup::kEmbedding});
  for (std::int64_t layer = 0; layer < config.num_hidden_layers; ++layer) {
    const auto add = [&](std::string_view name, std::vector<std::int64_t> shape,
                         TensorGroup group) {
      list.push_back(
          {fmt::format("model.layers.{}.{}.weight", layer, name), std::move(shape), group});
    };
    add("input_layernorm", {hidden}, TensorGroup::kNorm);
    add("self_attn.q_proj", {query, hidden}, TensorGroup::kAttention);
    add("self_attn.k_proj", {key_value, hidden}, TensorGroup::kAttention);
    add("self_attn.v_proj", {key_value, hidden}, TensorGroup::kAttention);
    add("self_attn.head_gate", {heads, hidden}, TensorGroup::kAttention);
    add("self_attn.q_norm", {head_dim}, TensorGroup::kNorm);
    add("self_attn.k_norm", {head_dim}, TensorGroup::kNorm);
    add("self_attn.o_proj", {hidden, query}, TensorGroup::kAttention);
    add("post_attention_layernorm", {hidden}, TensorGroup::kNorm);
    add("pre_feedforward_layernorm", {hidden}, TensorGroup::kNorm);
    add("mlp.gate_proj", {inner, hidden}, TensorGroup::kMlp);
    add("mlp.up_proj", {inner, hidden}, TensorGroup::kMlp);
    add("mlp.down_proj", {hidden, inner}, TensorGroup::kMlp);
    add("post_feedforward_layernorm", {hidden}, TensorGroup::kNorm);
  }
  list.push_back({"model.norm.weight", {hidden}, TensorGroup::kNorm});
  if (config.latent_feedback) {
    list.push_back({"model.feedback.state_proj.weight", {hidden, hidden}, TensorGroup::kFeedback});
    list.push_back({"model.feedback.token_gate.weight", {hidden, hidden}, TensorGroup::kFeedback});
    list.push_back({"model.feedback.norm.weight", {hidden}, TensorGroup::kFeedback});
  }
  return list;
}

ParameterCounts count_parameters(const ModelConfig& config) {
  ParameterCounts counts;
  for (const TensorSpec& spec : tensor_list(config)) {
    switch (spec.group) {
      case TensorGroup::kEmbedding:
        counts.embedding += spec.elements();
        break;
      case TensorGroup::kAttention:
        counts.attention += spec.elements();
        break;
      case TensorGroup::kMlp:
        counts.mlp += spec.elements();
        break;
      case TensorGroup::kNorm:
        counts.norm += spec.elements();
        break;
      case TensorGroup::kFeedback:
        counts.feedback += spec.elements();
        break;
    }
  }
  return counts;
}

}  // namespace fbt
