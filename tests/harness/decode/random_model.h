#pragma once

// Small random models for property tests: the engine and the slow, obvious
// transformer over the same weights.

#include <random>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "base/error.h"
#include "harness/decode/inference_model.h"
#include "harness/model/transformer.h"

namespace fbt::testing {

// Weights held in memory, as random_weights() gives them but with random gains,
// so that a forgotten gain shows.
class HeldWeights : public WeightSource {
 public:
  HeldWeights(const ModelConfig& config, std::uint64_t seed) {
    at::manual_seed(seed);
    const auto source = random_weights(seed);
    for (const TensorSpec& spec : tensor_list(config)) {
      at::Tensor tensor = source->load(spec, at::kDouble);
      if (spec.is_gain()) tensor = at::rand(spec.shape, at::kDouble) + 0.5;
      // Values that bfloat16 holds exactly, so that all dtypes have the same model.
      tensors_.emplace_back(spec.name, tensor.to(at::kBFloat16).to(at::kDouble));
    }
  }

  at::Tensor load(const TensorSpec& spec, at::ScalarType dtype) const override {
    for (const auto& [name, tensor] : tensors_) {
      if (name == spec.name) return tensor.to(dtype).contiguous();
    }
    throw InputError("no tensor " + spec.name);
  }

  const NamedTensors& tensors() const { return tensors_; }

 private:
  NamedTensors tensors_;
};

inline std::int64_t pick(std::mt19937& random, std::initializer_list<std::int64_t> values) {
  return *(values.begin() + static_cast<std::ptrdiff_t>(random() % values.size()));
}

inline ModelConfig random_config(std::mt19937& random) {
  ModelConfig config;
  config.vocab_size = pick(random, {17, 50, 64});
  config.hidden_size = pick(random, {12, 16, 40});
  config.intermediate_size = pick(random, {8, 20, 33});
  config.num_hidden_layers = pick(random, {1, 2, 3, 5});
  config.num_key_value_heads = pick(random, {1, 2, 3});
  config.num_attention_heads = config.num_key_value_heads * pick(random, {1, 2, 3, 9});
  config.head_dim = pick(random, {2, 8, 32, 34, 96});
  config.max_position_embeddings = 64;
  config.sliding_window = pick(random, {1, 2, 5, 17, 100});
  config.full_attention_interval = pick(random, {1, 2, 3, 7});
  config.rope_theta = 1000;
  config.residual_multiplier = 0.3;
  config.latent_feedback = true;
  config.bos_token_id = 0;
  return config;
}

inline std::string describe(const ModelConfig& config) {
  return model_config_text(config);
}

// Token 0 is BOS: about one in eight, besides position 0 where it is likely.
inline std::vector<int> random_tokens(std::mt19937& random, const ModelConfig& config,
                                      std::size_t length) {
  std::vector<int> tokens;
  for (std::size_t i = 0; i < length; ++i) {
    const bool bos = random() % (i == 0 ? 2 : 8) == 0;
    tokens.push_back(bos ? 0
                         : static_cast<int>(random() % static_cast<unsigned>(config.vocab_size)));
  }
  return tokens;
}

inline at::Tensor token_row(const std::vector<int>& tokens) {
  return at::tensor(tokens, at::kInt).to(at::kLong).unsqueeze(0);  // [1,T]
}

}  // namespace fbt::testing
