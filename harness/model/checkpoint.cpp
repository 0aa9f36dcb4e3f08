#include "harness/model/checkpoint.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "base/json_lines.h"
#include "base/sha256.h"

namespace fbt {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr std::string_view kRandomPrefix = "random:";
constexpr std::array<std::string_view, 2> kFamilies = {"standard", "full-bandwidth"};
constexpr std::array<std::string_view, 2> kStages = {"base", "instruct"};

// A JSON object from a file that need not be there.
json optional_object(const fs::path& path) {
  if (!fs::exists(path)) return json::object();
  json object = parse_json(read_file(path), path.string());
  if (!object.is_object()) {
    throw InputError(fmt::format("{}: expected a JSON object", path.string()));
  }
  return object;
}

[[noreturn]] void fail_key(const fs::path& path, std::string_view key, const json& value,
                           std::string_view expected) {
  throw InputError(
      fmt::format("{}: \"{}\" is {}; expected {}", path.string(), key, dump_json(value), expected));
}

const json* find_key(const json& object, std::string_view key) {
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

std::string text_key(const fs::path& path, const json& object, std::string_view key) {
  const json* value = find_key(object, key);
  if (value == nullptr) return {};
  if (!value->is_string()) fail_key(path, key, *value, "a text");
  return value->get<std::string>();
}

std::optional<double> number_key(const fs::path& path, const json& object, std::string_view key) {
  const json* value = find_key(object, key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_number() || !(value->get<double>() > 0)) {
    fail_key(path, key, *value, "a number above 0");
  }
  return value->get<double>();
}

// The index of the key's text in `names`, if the key is there.
std::optional<std::size_t> choice_key(const fs::path& path, const json& object,
                                      std::string_view key,
                                      const std::array<std::string_view, 2>& names) {
  const json* value = find_key(object, key);
  if (value == nullptr) return std::nullopt;
  const auto found = value->is_string()
                         ? std::find(names.begin(), names.end(), value->get<std::string>())
                         : names.end();
  if (found == names.end()) {
    fail_key(path, key, *value, fmt::format("\"{}\" or \"{}\"", names[0], names[1]));
  }
  return static_cast<std::size_t>(found - names.begin());
}

CheckpointFacts read_facts(const fs::path& folder, const ModelConfig& config) {
  const fs::path path = folder / "fbt.json";
  const json object = optional_object(path);
  CheckpointFacts facts;
  facts.name = text_key(path, object, "name");
  if (facts.name.empty()) facts.name = fs::weakly_canonical(folder).filename().string();
  facts.train_tokens = number_key(path, object, "train_tokens");
  facts.average_passes = number_key(path, object, "average_passes");
  facts.family = static_cast<Family>(
      choice_key(path, object, "family", kFamilies).value_or(config.latent_feedback ? 1 : 0));
  facts.stage = static_cast<Stage>(choice_key(path, object, "stage", kStages).value_or(0));
  facts.chat_format = text_key(path, object, "chat_format");
  if (facts.family == Family::kStandard && !facts.average_passes) facts.average_passes = 1;
  return facts;
}

void add_generation_stops(const fs::path& folder, Checkpoint& checkpoint) {
  const fs::path path = folder / "generation_config.json";
  const json object = optional_object(path);
  const json* value = find_key(object, "eos_token_id");
  if (value == nullptr) return;
  for (const json& id : value->is_array() ? *value : json::array({*value})) {
    if (!id.is_number_integer() || id < 0 || id >= checkpoint.config.vocab_size) {
      fail_key(path, "eos_token_id", *value,
               fmt::format("token ids from 0 to {}", checkpoint.config.vocab_size - 1));
    }
    auto& stops = checkpoint.stop_token_ids;
    if (std::find(stops.begin(), stops.end(), id.get<int>()) == stops.end()) {
      stops.push_back(id.get<int>());
    }
  }
}

// tokenizer_config.json writes a token as a text or as {"content": text}.
std::string read_eos_token(const fs::path& folder) {
  const fs::path path = folder / "tokenizer_config.json";
  const json object = optional_object(path);
  const json* value = find_key(object, "eos_token");
  if (value != nullptr && value->is_object()) return text_key(path, *value, "content");
  return text_key(path, object, "eos_token");
}

std::vector<fs::path> find_weight_files(const fs::path& folder) {
  const fs::path single = folder / "model.safetensors";
  const fs::path index = folder / "model.safetensors.index.json";
  if (fs::exists(single)) return {single};
  if (!fs::exists(index)) {
    throw InputError(
        fmt::format("{}: neither model.safetensors nor {} is there; is this a "
                    "checkpoint folder?",
                    folder.string(), index.filename().string()));
  }
  const json object = optional_object(index);
  const json* map = find_key(object, "weight_map");
  if (map == nullptr || !map->is_object() || map->empty()) {
    throw InputError(
        fmt::format("{}: \"weight_map\" must map tensor names to files", index.string()));
  }
  std::set<std::string> names;
  for (const auto& [tensor, file] : map->items()) {
    // A name with a folder in it could point anywhere.
    if (!file.is_string() || fs::path(file.get<std::string>()).has_parent_path()) {
      fail_key(index, tensor, file, "the name of a file beside the index");
    }
    names.insert(file.get<std::string>());
  }
  std::vector<fs::path> files;
  for (const std::string& name : names) {
    if (!fs::exists(folder / name)) {
      throw InputError(fmt::format("{}: the shard {} is missing", index.string(), name));
    }
    files.push_back(folder / name);
  }
  return files;
}

}  // namespace

std::string_view family_name(Family family) {
  return kFamilies[static_cast<std::size_t>(family)];
}

std::string_view stage_name(Stage stage) {
  return kStages[static_cast<std::size_t>(stage)];
}

Checkpoint open_checkpoint(const std::string& spec, std::uint64_t seed) {
  Checkpoint checkpoint;
  if (spec.starts_with(kRandomPrefix)) {
    checkpoint.random = true;
    checkpoint.seed = seed;
    checkpoint.config_path = spec.substr(kRandomPrefix.size());
    checkpoint.config = read_model_config(checkpoint.config_path);
    checkpoint.facts.name = fmt::format("random-{}", checkpoint.config_path.stem().string());
    checkpoint.facts.family =
        checkpoint.config.latent_feedback ? Family::kFullBandwidth : Family::kStandard;
    checkpoint.stop_token_ids = checkpoint.config.eos_token_ids;
    return checkpoint;
  }
  const fs::path folder = spec;
  if (!fs::is_directory(folder)) {
    throw InputError(fmt::format(
        "no checkpoint folder {}; give a folder with config.json and model.safetensors, or "
        "random:CONFIG.json",
        spec));
  }
  checkpoint.folder = folder;
  checkpoint.config_path = folder / "config.json";
  checkpoint.config = read_model_config(checkpoint.config_path);
  checkpoint.facts = read_facts(folder, checkpoint.config);
  checkpoint.stop_token_ids = checkpoint.config.eos_token_ids;
  add_generation_stops(folder, checkpoint);
  checkpoint.eos_token = read_eos_token(folder);
  if (fs::exists(folder / "tokenizer.json")) checkpoint.tokenizer = folder / "tokenizer.json";
  checkpoint.weight_files = find_weight_files(folder);
  return checkpoint;
}

std::string checkpoint_hash(const Checkpoint& checkpoint) {
  Sha256 hash;
  hash.update(sha256_file(checkpoint.config_path));
  if (checkpoint.random) hash.update(fmt::format("random:{}", checkpoint.seed));
  if (checkpoint.tokenizer) hash.update(sha256_file(*checkpoint.tokenizer));
  for (const fs::path& file : checkpoint.weight_files) hash.update(sha256_file(file));
  return hash.hex();
}

}  // namespace fbt
