#pragma once

// The architecture of a checkpoint: config.json of DESIGN.md §2, checked.
// Knows nothing of LibTorch.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fbt {

struct ModelConfig {
  std::int64_t vocab_size = 0;               // V
  std::int64_t hidden_size = 0;              // D
  std::int64_t intermediate_size = 0;        // I
  std::int64_t num_hidden_layers = 0;        // L
  std::int64_t num_attention_heads = 0;      // H
  std::int64_t num_key_value_heads = 0;      // K, divides H
  std::int64_t head_dim = 0;                 // d, even
  std::int64_t max_position_embeddings = 0;  // the context, in tokens
  std::int64_t sliding_window = 0;           // keys a sliding layer's query sees, itself included
  std::int64_t full_attention_interval = 0;  // every so many layers one sees the whole context
  double rope_theta = 10000;
  double rms_norm_eps = 1e-6;
  double residual_multiplier = 0;  // m; 1/sqrt(2L) unless config.json says otherwise
  bool latent_feedback = false;    // model.feedback.* are there
  std::optional<int> bos_token_id;
  std::vector<int> eos_token_ids;  // one or several in config.json
  std::string torch_dtype;         // "float32", "bfloat16", "float16" or empty; informative

  // Layer i (0-based) attends to the whole context; the others to the window.
  bool is_full_attention(std::int64_t layer) const {
    return (layer + 1) % full_attention_interval == 0;
  }
};

// Parses and checks config.json's text. Throws InputError naming `name`, the
// key, its value and what is expected: missing keys, wrong types, sizes that do
// not fit each other, a model_type other than "fbt", and well-known keys whose
// value asks for what this model does not have (rope scaling, attention biases,
// untied embeddings, another activation). Keys that change nothing are ignored.
ModelConfig parse_model_config(std::string_view text, std::string_view name);

ModelConfig read_model_config(const std::filesystem::path& path);

// config.json's text; parse_model_config() gives the same ModelConfig back.
std::string model_config_text(const ModelConfig& config);

}  // namespace fbt
