#pragma once

// What decides a training's result, and what does not.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "harness/model/checkpoint.h"
#include "harness/model/config.h"
#include "harness/train/schedule.h"

namespace fbt::train {

// Whoever changes one of these trains another model.
struct Recipe {
  std::string name = "demo";
  Family family = Family::kFullBandwidth;
  ModelConfig config;
  std::uint64_t seed = 1;
  std::int64_t tokens = 4'000'000;         // budget; rounded up to whole steps
  std::int64_t batch_tokens = 4096;        // tokens of a step
  std::int64_t row_tokens = 512;           // tokens of a packed row, T
  std::int64_t micro_batch_tokens = 4096;  // of one backward pass; gradients accumulate
  std::vector<double> pass_shares = {0.75, 0.22, 0.03};
  double feedback_start = 0.5;  // share of the steps before the first feedback pass
  double prefix_share = 0.5;    // prefix mixin
  double jitter = 0.02;
  double matrix_lr = 1e-2;
  double matrix_decay = 0.01;
  double adam_lr = 5e-4;
  double warmup = 0.02;    // share of the steps
  double cooldown = 0.25;  // share of the steps
  double z_loss = 1e-5;    // in the cooldown
  bool bfloat16 = true;    // matrix products; weights and optimiser stay float32

  std::int64_t steps() const;
  std::int64_t rows_per_step() const { return batch_tokens / row_tokens; }
  std::int64_t rows_per_micro_batch() const { return micro_batch_tokens / row_tokens; }
};

// Throws InputError naming the option: sizes that do not divide each other, a
// row longer than the context, shares outside 0 … 1, negative rates and weights, a
// standard family with feedback weights, passes that pass_schedule() refuses.
void check_recipe(const Recipe& recipe);

// Of the family: standard has one pass always. Throws InputError as PassSchedule does.
PassSchedule pass_schedule(const Recipe& recipe);

// A share of all steps in whole steps.
std::int64_t share_of_steps(const Recipe& recipe, double share);

// Everything above by name, for train.json and to tell a resumed recipe from another.
nlohmann::json recipe_json(const Recipe& recipe);

}  // namespace fbt::train
