#include "harness/model/config.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "base/json_lines.h"

namespace fbt {
namespace {

using nlohmann::json;

constexpr std::string_view kModelType = "fbt";
constexpr std::int64_t kLargestSize = std::numeric_limits<std::int32_t>::max();

// Reads typed values out of config.json; every failure names file, key and value.
class ConfigReader {
 public:
  ConfigReader(const json& object, std::string_view name) : object_(object), name_(name) {}

  [[noreturn]] void fail(std::string_view key, std::string_view expected) const {
    throw InputError(fmt::format("{}: \"{}\" is {}; expected {}", name_, key,
                                 object_.contains(key) ? dump_json(object_.at(key)) : "missing",
                                 expected));
  }

  std::int64_t size(const char* key, std::int64_t largest = kLargestSize) const {
    const json* value = find(key);
    if (value == nullptr || !value->is_number_integer() || *value < 1 || *value > largest) {
      fail(key, fmt::format("a whole number from 1 to {}", largest));
    }
    return value->get<std::int64_t>();
  }

  double positive(const char* key, std::optional<double> otherwise) const {
    const json* value = find(key);
    if (value == nullptr && otherwise) return *otherwise;
    if (value == nullptr || !value->is_number() || !(value->get<double>() > 0) ||
        !std::isfinite(value->get<double>())) {
      fail(key, "a number above 0");
    }
    return value->get<double>();
  }

  bool flag(const char* key, bool otherwise) const {
    const json* value = find(key);
    if (value == nullptr) return otherwise;
    if (!value->is_boolean()) fail(key, "true or false");
    return value->get<bool>();
  }

  std::string text(const char* key) const {
    const json* value = find(key);
    if (value == nullptr) return {};
    if (!value->is_string()) fail(key, "a text");
    return value->get<std::string>();
  }

  // One token id or a list of them.
  std::vector<int> tokens(const char* key, std::int64_t vocab_size) const {
    const json* value = find(key);
    if (value == nullptr) return {};
    const json list = value->is_array() ? *value : json::array({*value});
    std::vector<int> ids;
    for (const json& id : list) {
      if (!id.is_number_integer() || id < 0 || id >= vocab_size) {
        fail(key, fmt::format("token ids from 0 to {}", vocab_size - 1));
      }
      ids.push_back(id.get<int>());
    }
    return ids;
  }

  // A key whose other values ask for something this model does not have.
  void only(const char* key, const json& supported) const {
    const json* value = find(key);
    if (value != nullptr && *value != supported) {
      fail(key, dump_json(supported) + ", the only kind supported");
    }
  }

 private:
  // Absent and null are the same.
  const json* find(const char* key) const {
    const auto found = object_.find(key);
    return found == object_.end() || found->is_null() ? nullptr : &*found;
  }

  const json& object_;
  std::string_view name_;
};

void check_supported(const ConfigReader& reader) {
  reader.only("model_type", kModelType);
  if (reader.text("model_type").empty()) {
    reader.fail("model_type", fmt::format("\"{}\"", kModelType));
  }
  reader.only("tie_word_embeddings", true);
  reader.only("attention_bias", false);
  reader.only("mlp_bias", false);
  reader.only("rope_scaling", nullptr);
  reader.only("hidden_act", "silu");
  reader.only("hidden_activation", "silu");
}

}  // namespace

ModelConfig parse_model_config(std::string_view text, std::string_view name) {
  const json object = parse_json(text, name);
  if (!object.is_object()) throw InputError(fmt::format("{}: expected a JSON object", name));
  const ConfigReader reader(object, name);
  check_supported(reader);

  ModelConfig config;
  config.vocab_size = reader.size("vocab_size");
  config.hidden_size = reader.size("hidden_size");
  config.intermediate_size = reader.size("intermediate_size");
  config.num_hidden_layers = reader.size("num_hidden_layers");
  config.num_attention_heads = reader.size("num_attention_heads");
  config.num_key_value_heads = reader.size("num_key_value_heads");
  config.head_dim = reader.size("head_dim");
  config.max_position_embeddings = reader.size("max_position_embeddings");
  config.sliding_window = reader.size("sliding_window");
  config.full_attention_interval = reader.size("full_attention_interval");
  config.rope_theta = reader.positive("rope_theta", std::nullopt);
  config.rms_norm_eps = reader.positive("rms_norm_eps", std::nullopt);
  config.residual_multiplier = reader.positive(
      "residual_multiplier", 1.0 / std::sqrt(2.0 * static_cast<double>(config.num_hidden_layers)));
  config.latent_feedback = reader.flag("latent_feedback", false);
  config.torch_dtype = reader.text("torch_dtype");
  config.eos_token_ids = reader.tokens("eos_token_id", config.vocab_size);
  const std::vector<int> bos = reader.tokens("bos_token_id", config.vocab_size);
  if (bos.size() > 1) reader.fail("bos_token_id", "one token id");
  if (!bos.empty()) config.bos_token_id = bos.front();

  if (config.num_attention_heads % config.num_key_value_heads != 0) {
    reader.fail("num_key_value_heads",
                fmt::format("a divisor of num_attention_heads ({})", config.num_attention_heads));
  }
  if (config.head_dim % 2 != 0) reader.fail("head_dim", "an even number (rotary halves)");
  return config;
}

ModelConfig read_model_config(const std::filesystem::path& path) {
  return parse_model_config(read_file(path), path.string());
}

std::string model_config_text(const ModelConfig& config) {
  nlohmann::ordered_json object = {
      {"architectures", {"FullBandwidthTransformer"}},
      {"model_type", kModelType},
      {"vocab_size", config.vocab_size},
      {"hidden_size", config.hidden_size},
      {"intermediate_size", config.intermediate_size},
      {"num_hidden_layers", config.num_hidden_layers},
      {"num_attention_heads", config.num_attention_heads},
      {"num_key_value_heads", config.num_key_value_heads},
      {"head_dim", config.head_dim},
      {"max_position_embeddings", config.max_position_embeddings},
      {"rope_theta", config.rope_theta},
      {"rms_norm_eps", config.rms_norm_eps},
      {"sliding_window", config.sliding_window},
      {"full_attention_interval", config.full_attention_interval},
      {"residual_multiplier", config.residual_multiplier},
      {"tie_word_embeddings", true},
      {"latent_feedback", config.latent_feedback},
  };
  if (config.bos_token_id) object["bos_token_id"] = *config.bos_token_id;
  if (!config.eos_token_ids.empty()) object["eos_token_id"] = config.eos_token_ids;
  if (!config.torch_dtype.empty()) object["torch_dtype"] = config.torch_dtype;
  return object.dump(2) + "\n";
}

}  // namespace fbt
