#pragma once

// What a training needs to go on where it stopped: float32 weights, the
// optimiser's moments and a few counts.
//
//   FOLDER/state-STEP.safetensors   weights under their names, moments beside them
//   FOLDER/state.json               {"step", "file", "pass_tokens", "recipe"}
//
// state.json is replaced last, so that a stop at any moment leaves a whole state.

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include <ATen/core/Tensor.h>

#include "harness/model/weights.h"
#include "harness/train/recipe.h"

namespace fbt::train {

struct TrainingState {
  std::int64_t step = 0;         // steps done
  std::int64_t pass_tokens = 0;  // tokens times passes so far
  std::map<std::string, at::Tensor> tensors;
};

// Throws EnvironmentError.
void save_state(const std::filesystem::path& folder, const Recipe& recipe, std::int64_t step,
                std::int64_t pass_tokens, const NamedTensors& tensors);

// Nothing where there is no state. Throws InputError if the state is of another
// recipe (the first key that differs is named) or cannot be read.
std::optional<TrainingState> load_state(const std::filesystem::path& folder, const Recipe& recipe);

// Whether the training in the folder multiplies in bfloat16; nothing where there is
// no state. Throws InputError if it cannot be read.
std::optional<bool> stored_bfloat16(const std::filesystem::path& folder);

// The state of a trunk, for a branch of recipe `recipe`. Throws InputError where
// there is none, where the trunk was in a cooldown, or where its recipe differs
// in what decides the steps that trunk and branch share: all but the name, the
// family, the budget, the schedules and what concerns fused passes.
TrainingState load_trunk_state(const std::filesystem::path& folder, const Recipe& recipe);

}  // namespace fbt::train
