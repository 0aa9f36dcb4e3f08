#pragma once

// A transformer of a few thousand parameters for the tests of this folder.

#include <ATen/ATen.h>

#include "harness/model/transformer.h"

namespace fbt::train {

inline ModelConfig small_config() {
  ModelConfig config;
  config.vocab_size = 13;
  config.hidden_size = 8;
  config.intermediate_size = 12;
  config.num_hidden_layers = 2;
  config.num_attention_heads = 2;
  config.num_key_value_heads = 1;
  config.head_dim = 4;
  config.max_position_embeddings = 32;
  config.sliding_window = 4;
  config.full_attention_interval = 2;
  config.residual_multiplier = 0.5;
  config.latent_feedback = true;
  config.bos_token_id = 0;
  return config;
}

inline NamedTensors small_weights(at::ScalarType dtype) {
  return load_all(*random_weights(5), small_config(), dtype);
}

}  // namespace fbt::train
