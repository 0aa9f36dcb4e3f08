#pragma once

// The training loop. One thread drives it; LibTorch may use more inside.
//
// Every draw (weights, passes, prefixes, noise, rows) is named by the recipe's
// seed and the step, so a stopped training goes on as if it had never stopped,
// and two trainings of one recipe on one machine give the same weights.

#include <cstdint>
#include <filesystem>
#include <functional>

#include <ATen/core/Tensor.h>

#include "harness/train/objective.h"
#include "harness/train/optimizer.h"
#include "harness/train/packing.h"
#include "harness/train/recipe.h"
#include "harness/train/schedule.h"
#include "harness/train/training_state.h"
#include "results/store/training_log.h"

namespace fbt::train {

class Trainer {
 public:
  // Checks the recipe and draws the first weights. Rows have the recipe's
  // length. Throws InputError.
  Trainer(Recipe recipe, PackedRows rows, at::Device device = at::kCPU);

  std::int64_t steps_done() const { return step_; }
  bool finished() const { return step_ == recipe_.steps(); }

  // One step. Throws EnvironmentError, with the weights as they were before,
  // where the loss or a gradient is not finite or the loss has run away.
  // `before_update`, if given, is called where they are good and the weights still
  // as the step before left them: that step has proved sound, and may be saved.
  results::TrainingStep step(const std::function<void()>& before_update = {});

  // Judges the weights that the last step left, for saving them before another step
  // has: they must be finite, and the loss as step() asks on the micro batch that
  // follows, with the last step's number of passes. Changes nothing. Throws
  // EnvironmentError.
  void check_weights() const;

  // The weights, float32, shared.
  const NamedTensors& parameters() const { return parameters_; }

  // To and from the folder of a training state (training_state.h). resume()
  // returns false where there is none.
  void save(const std::filesystem::path& folder) const;
  bool resume(const std::filesystem::path& folder);

  // Takes over the state of a trunk that did the first steps of this recipe, as
  // if it had done them itself; tensors the trunk lacks (feedback weights) keep
  // their first draw. Throws InputError where the trunk's steps were not this
  // recipe's: another number of passes, or outside the full learning rate.
  void branch_from(const std::filesystem::path& folder);

  // The checkpoint so far: weights in `dtype`, config.json and fbt.json with
  // the tokens seen and the average passes over them.
  void save_checkpoint(const std::filesystem::path& folder, at::ScalarType dtype) const;

 private:
  void take(const TrainingState& state);
  at::Tensor load_rows(std::int64_t first, std::int64_t count) const;
  NamedTensors computing_weights() const;
  void collect_gradients(NamedTensors& weights);
  Objective objective(const Transformer& model, std::int64_t step, std::int64_t micro_batch,
                      int passes) const;
  bool has_sound_loss(const results::TrainingStep& record) const;

  Recipe recipe_;
  PackedRows rows_;
  at::Device device_;
  WsdSchedule learning_rate_;
  PassSchedule passes_;
  NamedTensors parameters_;
  Optimizer optimizer_;
  std::int64_t step_ = 0;
  std::int64_t pass_tokens_ = 0;
};

}  // namespace fbt::train
