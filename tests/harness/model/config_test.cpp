#include "harness/model/config.h"

#include <cmath>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "tests/support/paths.h"

namespace fbt {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

json valid_config() {
  return {{"model_type", "fbt"},      {"vocab_size", 61},
          {"hidden_size", 32},        {"intermediate_size", 72},
          {"num_hidden_layers", 8},   {"num_attention_heads", 4},
          {"num_key_value_heads", 2}, {"head_dim", 8},
          {"rope_theta", 10000.0},    {"rms_norm_eps", 1e-6},
          {"sliding_window", 6},      {"full_attention_interval", 3},
          {"latent_feedback", true},  {"max_position_embeddings", 64}};
}

TEST(ModelConfig, ReadsEveryKeyOfTheGoldenCheckpoint) {
  FBT_REQUIRE_SHARED("golden/model/config.json");
  const ModelConfig config = read_model_config(testing::shared_dir() / "golden/model/config.json");
  EXPECT_EQ(config.vocab_size, 61);
  EXPECT_EQ(config.hidden_size, 32);
  EXPECT_EQ(config.intermediate_size, 72);
  EXPECT_EQ(config.num_hidden_layers, 7);
  EXPECT_EQ(config.num_attention_heads, 4);
  EXPECT_EQ(config.num_key_value_heads, 2);
  EXPECT_EQ(config.head_dim, 8);
  EXPECT_EQ(config.max_position_embeddings, 64);
  EXPECT_EQ(config.sliding_window, 6);
  EXPECT_EQ(config.full_attention_interval, 6);
  EXPECT_DOUBLE_EQ(config.rope_theta, 10000);
  EXPECT_DOUBLE_EQ(config.rms_norm_eps, 1e-6);
  EXPECT_DOUBLE_EQ(config.residual_multiplier, 0.7);
  EXPECT_TRUE(config.latent_feedback);
  EXPECT_EQ(config.bos_token_id, 0);
  EXPECT_THAT(config.eos_token_ids, ::testing::ElementsAre(1));
  EXPECT_EQ(config.torch_dtype, "float32");
}

TEST(ModelConfig, ResidualMultiplierDefaultsToDepthScaling) {
  const ModelConfig config = parse_model_config(valid_config().dump(), "config.json");
  EXPECT_DOUBLE_EQ(config.residual_multiplier, 0.25);  // 1 / sqrt(2 * 8)
}

TEST(ModelConfig, EveryNthLayerIsFull) {
  const ModelConfig config = parse_model_config(valid_config().dump(), "config.json");
  std::vector<std::int64_t> full;
  for (std::int64_t layer = 0; layer < config.num_hidden_layers; ++layer) {
    if (config.is_full_attention(layer)) full.push_back(layer);
  }
  EXPECT_THAT(full, ::testing::ElementsAre(2, 5));
}

TEST(ModelConfig, WritesWhatItReads) {
  json object = valid_config();
  object["bos_token_id"] = 3;
  object["eos_token_id"] = {1, 5};
  object["residual_multiplier"] = 0.123456789012345;
  object["torch_dtype"] = "bfloat16";
  const ModelConfig config = parse_model_config(object.dump(), "a");
  const std::string text = model_config_text(config);
  EXPECT_EQ(model_config_text(parse_model_config(text, "b")), text);
  EXPECT_EQ(parse_model_config(text, "b").residual_multiplier, 0.123456789012345);
  EXPECT_THAT(parse_model_config(text, "b").eos_token_ids, ::testing::ElementsAre(1, 5));
}

struct BadConfig {
  const char* key;
  json value;  // null: the key is left out
  const char* expected;
};

TEST(ModelConfig, NamesFileKeyValueAndRemedy) {
  const BadConfig cases[] = {
      {"model_type", "llama", "\"model_type\" is \"llama\"; expected \"fbt\""},
      {"model_type", nullptr, "\"model_type\" is missing"},
      {"vocab_size", nullptr, "\"vocab_size\" is missing"},
      {"vocab_size", 0, "\"vocab_size\" is 0; expected a whole number from 1"},
      {"vocab_size", -5, "\"vocab_size\" is -5"},
      {"vocab_size", 6.5, "\"vocab_size\" is 6.5"},
      {"hidden_size", "32", "\"hidden_size\" is \"32\""},
      {"hidden_size", 1e18, "\"hidden_size\""},
      {"num_hidden_layers", true, "\"num_hidden_layers\" is true"},
      {"num_key_value_heads", 3, "a divisor of num_attention_heads (4)"},
      {"head_dim", 7, "\"head_dim\" is 7; expected an even number"},
      {"rope_theta", 0, "\"rope_theta\" is 0; expected a number above 0"},
      {"rms_norm_eps", "x", "\"rms_norm_eps\" is \"x\""},
      {"residual_multiplier", -1, "\"residual_multiplier\" is -1"},
      {"latent_feedback", 1, "\"latent_feedback\" is 1; expected true or false"},
      {"eos_token_id", 61, "\"eos_token_id\" is 61; expected token ids from 0 to 60"},
      {"eos_token_id", json::array({1, "x"}), "\"eos_token_id\""},
      {"bos_token_id", json::array({1, 2}), "\"bos_token_id\""},
      {"tie_word_embeddings", false, "\"tie_word_embeddings\" is false; expected true"},
      {"rope_scaling", {{"type", "linear"}}, "\"rope_scaling\""},
      {"attention_bias", true, "\"attention_bias\" is true; expected false"},
      {"hidden_act", "gelu", "\"hidden_act\" is \"gelu\"; expected \"silu\""},
  };
  for (const BadConfig& bad : cases) {
    json object = valid_config();
    object[bad.key] = bad.value;
    if (bad.value.is_null()) object.erase(bad.key);
    try {
      parse_model_config(object.dump(), "some/config.json");
      ADD_FAILURE() << bad.key << " = " << bad.value << " was accepted";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), AllOf(HasSubstr("some/config.json"), HasSubstr(bad.expected),
                                      Not(HasSubstr("\n"))));
    }
  }
}

TEST(ModelConfig, RefusesWhatIsNoJsonObject) {
  EXPECT_THROW(parse_model_config("", "c"), InputError);
  EXPECT_THROW(parse_model_config("[1]", "c"), InputError);
  EXPECT_THROW(parse_model_config("{\"a\":", "c"), InputError);
}

}  // namespace
}  // namespace fbt
