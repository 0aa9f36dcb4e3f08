#include "harness/train/training_state.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "base/json_lines.h"
#include "harness/model/safetensors.h"

namespace fbt::train {
namespace {

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    throw EnvironmentError(
        fmt::format("cannot make the folder {}: {}", folder.string(), error.message()));
  }
}

[[noreturn]] void refuse_unreadable(const std::filesystem::path& path,
                                    const nlohmann::json::exception& error) {
  throw InputError(fmt::format("{}: {}; train anew with --fresh", path.string(), error.what()));
}

// The first key of `wanted` whose value is another in `stored`.
std::optional<std::string> first_difference(const nlohmann::json& stored,
                                            const nlohmann::json& wanted) {
  for (const auto& [key, value] : wanted.items()) {
    if (!stored.contains(key) || stored[key] != value) return key;
  }
  return std::nullopt;
}

void refuse_other_recipe(const nlohmann::json& stored, const Recipe& recipe,
                         const std::filesystem::path& path) {
  if (const auto key = first_difference(stored, recipe_json(recipe))) {
    throw InputError(fmt::format(
        "{}: this training was begun with another '{}'; give the same options or --fresh",
        path.string(), *key));
  }
}

// What a branch may change, since none of it touches a plain step at the full
// learning rate.
constexpr const char* kBranchKeys[] = {"name",   "family",      "tokens",   "pass_shares",
                                       "jitter", "warmup",      "cooldown", "feedback_start",
                                       "z_loss", "prefix_share"};

nlohmann::json shared_part(nlohmann::json recipe) {
  for (const char* key : kBranchKeys) recipe.erase(key);
  recipe.at("config").erase("latent_feedback");
  return recipe;
}

void refuse_other_trunk(const nlohmann::json& trunk, const Recipe& recipe,
                        const std::filesystem::path& path) {
  if (const auto key = first_difference(shared_part(trunk), shared_part(recipe_json(recipe)))) {
    throw InputError(
        fmt::format("{}: the trunk has another '{}'; give the trunk's value", path.string(), *key));
  }
  if (trunk.at("cooldown").get<double>() > 0) {
    throw InputError(fmt::format(
        "{}: the trunk's own learning rate falls; train a trunk with --cooldown 0", path.string()));
  }
}

// `check` sees the stored recipe before anything large is read.
template <typename Check>
TrainingState read_state(const std::filesystem::path& folder, const Check& check) {
  const std::filesystem::path path = folder / "state.json";
  const nlohmann::json stored = parse_json(read_file(path), path.string());
  TrainingState state;
  std::string file;
  try {
    check(stored.at("recipe"), path);
    state.step = stored.at("step").get<std::int64_t>();
    state.pass_tokens = stored.at("pass_tokens").get<std::int64_t>();
    file = stored.at("file").get<std::string>();
  } catch (const nlohmann::json::exception& error) {
    refuse_unreadable(path, error);
  }
  const MappedFile mapped(folder / file);
  for (const auto& [name, stored_tensor] :
       parse_safetensors(mapped.bytes(), (folder / file).string())) {
    at::Tensor tensor = at::empty(stored_tensor.shape, at::TensorOptions(at::kFloat));
    std::memcpy(tensor.data_ptr(), stored_tensor.bytes.data(), stored_tensor.bytes.size());
    state.tensors.emplace(name, std::move(tensor));
  }
  return state;
}

}  // namespace

void save_state(const std::filesystem::path& folder, const Recipe& recipe, std::int64_t step,
                std::int64_t pass_tokens, const NamedTensors& tensors) {
  make_folder(folder);
  NamedTensors on_cpu;  // keeps the bytes alive while they are written
  std::vector<TensorToWrite> list;
  on_cpu.reserve(tensors.size());
  for (const auto& [name, tensor] : tensors) {
    on_cpu.emplace_back(name, tensor.detach().to(at::kCPU).contiguous());
    const at::Tensor& bytes = on_cpu.back().second;
    list.push_back({name,
                    StoredType::kF32,
                    bytes.sizes().vec(),
                    {static_cast<const char*>(bytes.data_ptr()), bytes.nbytes()}});
  }
  const std::string file = fmt::format("state-{}.safetensors", step);
  write_safetensors(folder / file, list);
  const nlohmann::json state{{"step", step},
                             {"file", file},
                             {"pass_tokens", pass_tokens},
                             {"recipe", recipe_json(recipe)}};
  write_file_atomically(folder / "state.json", state.dump(1) + "\n");
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("state-") && name != file) std::filesystem::remove(entry.path());
  }
}

std::optional<TrainingState> load_state(const std::filesystem::path& folder, const Recipe& recipe) {
  if (!std::filesystem::exists(folder / "state.json")) return std::nullopt;
  return read_state(folder, [&](const nlohmann::json& stored, const std::filesystem::path& path) {
    refuse_other_recipe(stored, recipe, path);
  });
}

std::optional<bool> stored_bfloat16(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / "state.json";
  if (!std::filesystem::exists(path)) return std::nullopt;
  const nlohmann::json stored = parse_json(read_file(path), path.string());
  try {
    return stored.at("recipe").at("bfloat16").get<bool>();
  } catch (const nlohmann::json::exception& error) {
    refuse_unreadable(path, error);
  }
}

TrainingState load_trunk_state(const std::filesystem::path& folder, const Recipe& recipe) {
  if (!std::filesystem::exists(folder / "state.json")) {
    throw InputError(
        fmt::format("{} holds no training state; name the folder of a training, or train one",
                    folder.string()));
  }
  return read_state(folder, [&](const nlohmann::json& stored, const std::filesystem::path& path) {
    refuse_other_trunk(stored, recipe, path);
  });
}

}  // namespace fbt::train
