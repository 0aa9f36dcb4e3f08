#pragma once

// What a checkpoint is, before any weight is read: where its files are and what
// tables need to know of it (DESIGN.md §2). Knows nothing of LibTorch.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/model/config.h"

namespace fbt {

enum class Family { kStandard, kFullBandwidth };
enum class Stage { kBase, kInstruct };

// "standard", "full-bandwidth"; "base", "instruct": as in fbt.json.
std::string_view family_name(Family family);
std::string_view stage_name(Stage stage);

// fbt.json. Every key is optional; absent ones take the values said here.
struct CheckpointFacts {
  std::string name;                      // the folder's name
  std::optional<double> train_tokens;    // tokens seen in training
  std::optional<double> average_passes;  // forward passes per training token; 1 for standard
  Family family = Family::kStandard;     // full-bandwidth where config.json says latent_feedback
  Stage stage = Stage::kBase;
  std::string chat_format;  // empty: none
};

struct Checkpoint {
  std::filesystem::path folder;  // empty for random weights
  std::filesystem::path config_path;
  bool random = false;     // weights from `seed`, in memory
  std::uint64_t seed = 0;  // of random weights
  ModelConfig config;
  CheckpointFacts facts;
  std::vector<int> stop_token_ids;  // config.json's and generation_config.json's eos_token_id
  std::string eos_token;            // tokenizer_config.json's, as text; may be empty
  std::optional<std::filesystem::path> tokenizer;   // tokenizer.json, where there is one
  std::vector<std::filesystem::path> weight_files;  // in the index's order; empty if random

  bool has_feedback() const { return config.latent_feedback; }
};

// `spec` is a checkpoint folder, or "random:CONFIG.json" for weights drawn from
// `seed`. Reads config.json, fbt.json, tokenizer_config.json,
// generation_config.json and the shards' index; opens no weights. Throws
// InputError naming file, key, value and remedy.
Checkpoint open_checkpoint(const std::string& spec, std::uint64_t seed = 1);

// What identifies the checkpoint in results: SHA-256 over config.json,
// tokenizer.json and every weight file (for random weights: the seed), 64 hex digits.
// Reads all weights: seconds for gigabytes.
std::string checkpoint_hash(const Checkpoint& checkpoint);

}  // namespace fbt
