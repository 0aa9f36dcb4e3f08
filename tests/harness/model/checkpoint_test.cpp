#include "harness/model/checkpoint.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "tests/support/paths.h"

namespace fbt {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kConfig = R"({"model_type": "fbt", "vocab_size": 10, "hidden_size": 4,
  "intermediate_size": 8, "num_hidden_layers": 2, "num_attention_heads": 2,
  "num_key_value_heads": 1, "head_dim": 2, "max_position_embeddings": 16, "rope_theta": 10000,
  "rms_norm_eps": 1e-6, "sliding_window": 4, "full_attention_interval": 2,
  "latent_feedback": true, "eos_token_id": 1})";

class CheckpointFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    write("config.json", kConfig);
    write("model.safetensors", "weights");
  }
  void write(const std::string& name, std::string_view content) {
    write_file_atomically(folder_.path() / name, content);
  }
  Checkpoint open() const { return open_checkpoint(folder_.path().string()); }
  std::string message() const {
    try {
      open();
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  }

  testing::TemporaryFolder folder_;
};

TEST_F(CheckpointFolder, DefaultsWithoutFbtJson) {
  const Checkpoint checkpoint = open();
  EXPECT_EQ(checkpoint.facts.name, folder_.path().filename().string());
  EXPECT_EQ(checkpoint.facts.family, Family::kFullBandwidth);
  EXPECT_EQ(checkpoint.facts.stage, Stage::kBase);
  EXPECT_FALSE(checkpoint.facts.train_tokens);
  EXPECT_FALSE(checkpoint.facts.average_passes);
  EXPECT_FALSE(checkpoint.tokenizer);
  EXPECT_THAT(checkpoint.stop_token_ids, ElementsAre(1));
  EXPECT_THAT(checkpoint.weight_files, ElementsAre(folder_.path() / "model.safetensors"));
}

TEST_F(CheckpointFolder, ReadsFactsAndStopTokens) {
  write("fbt.json", R"({"name": "fbt-1b-200b", "train_tokens": 200e9, "average_passes": 1.25,
                        "family": "full-bandwidth", "stage": "instruct", "chat_format": "chatml"})");
  write("generation_config.json", R"({"eos_token_id": [7, 1]})");
  write("tokenizer_config.json", R"({"eos_token": {"content": "<end>"}})");
  write("tokenizer.json", "{}");
  const Checkpoint checkpoint = open();
  EXPECT_EQ(checkpoint.facts.name, "fbt-1b-200b");
  EXPECT_EQ(checkpoint.facts.train_tokens, 200e9);
  EXPECT_EQ(checkpoint.facts.average_passes, 1.25);
  EXPECT_EQ(checkpoint.facts.stage, Stage::kInstruct);
  EXPECT_EQ(checkpoint.facts.chat_format, "chatml");
  EXPECT_THAT(checkpoint.stop_token_ids, ElementsAre(1, 7));
  EXPECT_EQ(checkpoint.eos_token, "<end>");
  EXPECT_EQ(checkpoint.tokenizer, folder_.path() / "tokenizer.json");
}

TEST_F(CheckpointFolder, FindsShardsThroughTheIndex) {
  std::filesystem::remove(folder_.path() / "model.safetensors");
  write("b.safetensors", "");
  write("a.safetensors", "");
  write("model.safetensors.index.json",
        R"({"weight_map": {"x": "b.safetensors", "y": "a.safetensors", "z": "b.safetensors"}})");
  EXPECT_THAT(open().weight_files,
              ElementsAre(folder_.path() / "a.safetensors", folder_.path() / "b.safetensors"));
}

TEST_F(CheckpointFolder, NamesWhatIsWrong) {
  const struct {
    const char* file;
    const char* content;
    const char* expected;
  } cases[] = {
      {"fbt.json", "[]", "fbt.json: expected a JSON object"},
      {"fbt.json", R"({"family": "hybrid"})", "\"standard\" or \"full-bandwidth\""},
      {"fbt.json", R"({"stage": 3})", "\"base\" or \"instruct\""},
      {"fbt.json", R"({"train_tokens": "many"})", "\"train_tokens\" is \"many\""},
      {"fbt.json", R"({"average_passes": 0})", "\"average_passes\" is 0"},
      {"fbt.json", R"({"name": 1})", "\"name\" is 1; expected a text"},
      {"generation_config.json", R"({"eos_token_id": 10})", "token ids from 0 to 9"},
      {"tokenizer_config.json", R"({"eos_token": 5})", "\"eos_token\" is 5"},
      {"config.json", "{", "config.json is not valid JSON"},
  };
  for (const auto& bad : cases) {
    SetUp();
    write(bad.file, bad.content);
    EXPECT_THAT(message(),
                AllOf(HasSubstr(bad.file), HasSubstr(bad.expected), Not(HasSubstr("\n"))));
    std::filesystem::remove(folder_.path() / bad.file);
  }
}

TEST_F(CheckpointFolder, NamesWhatIsWrongWithShards) {
  std::filesystem::remove(folder_.path() / "model.safetensors");
  EXPECT_THAT(message(), HasSubstr("neither model.safetensors nor"));
  write("model.safetensors.index.json", R"({"weight_map": {"x": "gone.safetensors"}})");
  EXPECT_THAT(message(), HasSubstr("the shard gone.safetensors is missing"));
  write("model.safetensors.index.json", R"({"weight_map": {"x": "../up.safetensors"}})");
  EXPECT_THAT(message(), HasSubstr("a file beside the index"));
  write("model.safetensors.index.json", "{}");
  EXPECT_THAT(message(), HasSubstr("weight_map"));
}

TEST_F(CheckpointFolder, HashChangesWithWeightsConfigAndTokenizer) {
  const std::string before = checkpoint_hash(open());
  EXPECT_EQ(before.size(), 64u);
  EXPECT_EQ(checkpoint_hash(open()), before);
  write("model.safetensors", "other weights");
  const std::string other_weights = checkpoint_hash(open());
  EXPECT_NE(other_weights, before);
  write("tokenizer.json", "{}");
  EXPECT_NE(checkpoint_hash(open()), other_weights);
}

TEST_F(CheckpointFolder, RandomWeightsNeedOnlyAConfig) {
  const std::string spec = "random:" + (folder_.path() / "config.json").string();
  const Checkpoint checkpoint = open_checkpoint(spec, 5);
  EXPECT_TRUE(checkpoint.random);
  EXPECT_EQ(checkpoint.seed, 5u);
  EXPECT_TRUE(checkpoint.weight_files.empty());
  EXPECT_TRUE(checkpoint.has_feedback());
  EXPECT_NE(checkpoint_hash(checkpoint), checkpoint_hash(open_checkpoint(spec, 6)));
}

TEST(Checkpoint, MissingFolderSaysWhatToGive) {
  try {
    open_checkpoint("/no/such/folder");
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("/no/such/folder"), HasSubstr("random:")));
  }
}

}  // namespace
}  // namespace fbt
