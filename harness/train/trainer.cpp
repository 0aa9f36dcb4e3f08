#include "harness/train/trainer.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/random.h"
#include "harness/model/transformer.h"

namespace fbt::train {
namespace {

Recipe checked(Recipe recipe) {
  check_recipe(recipe);
  return recipe;
}

NamedTensors first_weights(const Recipe& recipe, at::Device device) {
  NamedTensors parameters = load_all(*random_weights(recipe.seed), recipe.config, at::kFloat);
  for (auto& [name, parameter] : parameters) {
    parameter = parameter.to(device);
    parameter.set_requires_grad(true);
  }
  return parameters;
}

OptimizerSettings optimizer_settings(const Recipe& recipe) {
  OptimizerSettings settings;
  settings.matrix_lr = recipe.matrix_lr;
  settings.matrix_decay = recipe.matrix_decay;
  settings.adam_lr = recipe.adam_lr;
  settings.iteration_dtype = recipe.bfloat16 ? at::kBFloat16 : at::kFloat;
  return settings;
}

double gradient_norm(const NamedTensors& parameters) {
  double squares = 0;
  for (const auto& [name, parameter] : parameters) {
    if (!parameter.grad().defined()) continue;
    const double norm = parameter.grad().norm().item<double>();
    squares += norm * norm;
  }
  return std::sqrt(squares);
}

EnvironmentError diverged(std::int64_t step, const std::string& signs) {
  return EnvironmentError(
      fmt::format("training diverged at step {} ({}); its weights are not saved, what was saved "
                  "before stays; try a lower --matrix-lr or --adam-lr",
                  step, signs));
}

}  // namespace

Trainer::Trainer(Recipe recipe, PackedRows rows, at::Device device)
    : recipe_(checked(std::move(recipe))),
      rows_(std::move(rows)),
      device_(device),
      learning_rate_{recipe_.steps(), share_of_steps(recipe_, recipe_.warmup),
                     share_of_steps(recipe_, recipe_.cooldown)},
      passes_(pass_schedule(recipe_)),
      parameters_(first_weights(recipe_, device)),
      optimizer_(parameters_, optimizer_settings(recipe_)) {}

// int64 [count, T+1]
at::Tensor Trainer::load_rows(std::int64_t first, std::int64_t count) const {
  at::Tensor rows = at::empty({count, recipe_.row_tokens + 1}, at::kLong);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::vector<std::int64_t> row = rows_.row(static_cast<std::uint64_t>(first + i));
    std::copy(row.begin(), row.end(), rows[i].data_ptr<std::int64_t>());
  }
  return rows.to(device_);
}

// The parameters in the dtype that matrix products are computed in: leaves, the
// parameters themselves in float32.
NamedTensors Trainer::computing_weights() const {
  NamedTensors weights = parameters_;
  if (recipe_.bfloat16) {
    for (auto& [name, weight] : weights) {
      weight = weight.detach().to(at::kBFloat16).set_requires_grad(true);
    }
  }
  return weights;
}

// Adds a micro batch's gradients to the parameters' in float32.
void Trainer::collect_gradients(NamedTensors& weights) {
  if (!recipe_.bfloat16) return;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    at::Tensor& gradient = weights[i].second.mutable_grad();
    if (!gradient.defined()) continue;
    at::Tensor& sum = parameters_[i].second.mutable_grad();
    sum = sum.defined() ? sum.add_(gradient) : gradient.to(at::kFloat);
    gradient.reset();
  }
}

// The objective on one micro batch of a step.
Objective Trainer::objective(const Transformer& model, std::int64_t step, std::int64_t micro_batch,
                             int passes) const {
  ObjectiveOptions options;
  options.passes = passes;
  options.prefix_share = recipe_.prefix_share;
  options.jitter = recipe_.jitter;
  options.z_loss = learning_rate_.in_cooldown(step) ? recipe_.z_loss : 0;
  options.key =
      KeyedRandom(stable_hash("objective", recipe_.seed))
          .bits(static_cast<std::uint64_t>(step), static_cast<std::uint64_t>(micro_batch));
  const std::int64_t count = recipe_.rows_per_micro_batch();
  const at::Tensor rows = load_rows(step * recipe_.rows_per_step() + micro_batch * count, count);
  return multi_pass_objective(model, rows.narrow(1, 0, recipe_.row_tokens),
                              rows.narrow(1, 1, recipe_.row_tokens), options);
}

bool Trainer::has_sound_loss(const results::TrainingStep& record) const {
  // Guessing evenly costs log V; twice that is far off any path back.
  const double limit = 2 * std::log(static_cast<double>(recipe_.config.vocab_size)) + 4;
  return std::isfinite(record.loss) && std::isfinite(record.last_pass_loss) &&
         record.last_pass_loss < limit;
}

void Trainer::check_weights() const {
  if (step_ == 0) return;
  const c10::NoGradGuard no_grad;
  for (const auto& [name, parameter] : parameters_) {
    if (!parameter.isfinite().all().item<bool>()) {
      throw diverged(step_, fmt::format("{} is not finite", name));
    }
  }
  const Objective seen = objective(Transformer(recipe_.config, computing_weights()), step_, 0,
                                   passes_.passes(step_ - 1));
  results::TrainingStep record;
  record.loss = seen.cross_entropy.front().item<double>();
  record.last_pass_loss = seen.cross_entropy.back().item<double>();
  if (!has_sound_loss(record)) {
    throw diverged(step_, fmt::format("loss {}, last pass {}", record.loss, record.last_pass_loss));
  }
}

results::TrainingStep Trainer::step(const std::function<void()>& before_update) {
  const auto begin = std::chrono::steady_clock::now();
  results::TrainingStep record;
  record.passes = passes_.passes(step_);
  const std::int64_t micro_batches = recipe_.rows_per_step() / recipe_.rows_per_micro_batch();
  const auto share = 1.0 / static_cast<double>(micro_batches);
  NamedTensors weights = computing_weights();
  const Transformer model(recipe_.config, weights);
  for (std::int64_t micro = 0; micro < micro_batches; ++micro) {
    const Objective part = objective(model, step_, micro, record.passes);
    (part.loss * share).backward();
    collect_gradients(weights);
    record.loss += part.cross_entropy.front().item<double>() * share;
    record.last_pass_loss += part.cross_entropy.back().item<double>() * share;
    record.state_norm += part.state_norm.item<double>() * share;
  }
  record.gradient_norm = gradient_norm(parameters_);

  const bool good = std::isfinite(record.gradient_norm) && has_sound_loss(record);
  if (good && before_update) before_update();
  if (good) optimizer_.step(learning_rate_.factor(step_));
  for (auto& [name, parameter] : parameters_) parameter.mutable_grad().reset();
  if (!good) {
    throw diverged(step_, fmt::format("loss {}, last pass {}, gradient norm {}", record.loss,
                                      record.last_pass_loss, record.gradient_norm));
  }

  record.step = step_;
  record.learning_rate_factor = learning_rate_.factor(step_);
  ++step_;
  pass_tokens_ += record.passes * recipe_.batch_tokens;
  record.tokens = step_ * recipe_.batch_tokens;
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  record.tokens_per_second = static_cast<double>(recipe_.batch_tokens) / seconds.count();
  return record;
}

void Trainer::save(const std::filesystem::path& folder) const {
  NamedTensors all = parameters_;
  for (auto& tensor : optimizer_.state()) all.push_back(std::move(tensor));
  save_state(folder, recipe_, step_, pass_tokens_, all);
}

bool Trainer::resume(const std::filesystem::path& folder) {
  const std::optional<TrainingState> state = load_state(folder, recipe_);
  if (state) take(*state);
  return state.has_value();
}

void Trainer::branch_from(const std::filesystem::path& folder) {
  TrainingState trunk = load_trunk_state(folder, recipe_);
  std::int64_t passes = 0;
  for (std::int64_t step = 0; step < trunk.step; ++step) passes += passes_.passes(step);
  if (trunk.pass_tokens != passes * recipe_.batch_tokens) {
    throw InputError(fmt::format(
        "{}: the trunk saw {} tokens times passes in {} steps, this recipe would have {}; let "
        "--feedback-start be no earlier than the trunk's end",
        folder.string(), trunk.pass_tokens, trunk.step, passes * recipe_.batch_tokens));
  }
  if (trunk.step < learning_rate_.warmup_steps || learning_rate_.in_cooldown(trunk.step - 1)) {
    throw InputError(
        fmt::format("{}: the trunk ended after step {}, but this recipe has its full learning rate "
                    "between steps {} and {} only; change --tokens, --warmup or --cooldown",
                    folder.string(), trunk.step, learning_rate_.warmup_steps,
                    recipe_.steps() - learning_rate_.cooldown_steps));
  }
  // Moments of tensors that the trunk lacks are still zero.
  for (const auto& [name, tensor] : optimizer_.state()) trunk.tensors.try_emplace(name, tensor);
  for (const auto& [name, tensor] : parameters_) trunk.tensors.try_emplace(name, tensor);
  take(trunk);
}

void Trainer::take(const TrainingState& state) {
  const c10::NoGradGuard no_grad;
  for (auto& [name, parameter] : parameters_) {
    const auto found = state.tensors.find(name);
    if (found == state.tensors.end()) {
      throw InputError(
          fmt::format("the training state lacks tensor {}; train anew with --fresh", name));
    }
    parameter.copy_(found->second);
  }
  optimizer_.restore(state.tensors, state.step);
  step_ = state.step;
  pass_tokens_ = state.pass_tokens;
}

void Trainer::save_checkpoint(const std::filesystem::path& folder, at::ScalarType dtype) const {
  CheckpointFacts facts;
  facts.name = recipe_.name;
  facts.family = recipe_.family;
  const auto tokens = static_cast<double>(step_ * recipe_.batch_tokens);
  facts.train_tokens = tokens;
  facts.average_passes = step_ > 0 ? static_cast<double>(pass_tokens_) / tokens : 1;
  NamedTensors weights = parameters_;
  for (auto& [name, weight] : weights) weight = weight.detach().to(dtype);
  ModelConfig config = recipe_.config;
  config.torch_dtype = dtype == at::kBFloat16 ? "bfloat16" : "float32";
  fbt::save_checkpoint(folder, config, facts, weights);
}

}  // namespace fbt::train
