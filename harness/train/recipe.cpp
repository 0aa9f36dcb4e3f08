#include "harness/train/recipe.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.h"

namespace fbt::train {

std::int64_t Recipe::steps() const {
  return (tokens + batch_tokens - 1) / batch_tokens;
}

void check_recipe(const Recipe& recipe) {
  const auto positive = [](const char* option, std::int64_t value) {
    if (value <= 0)
      throw InputError(fmt::format("{} is {}; give a positive number", option, value));
  };
  positive("--tokens", recipe.tokens);
  positive("--batch-tokens", recipe.batch_tokens);
  positive("--row-tokens", recipe.row_tokens);
  positive("--micro-batch-tokens", recipe.micro_batch_tokens);
  if (recipe.micro_batch_tokens % recipe.row_tokens != 0) {
    throw InputError(fmt::format("--micro-batch-tokens {} is no multiple of --row-tokens {}",
                                 recipe.micro_batch_tokens, recipe.row_tokens));
  }
  if (recipe.batch_tokens % recipe.micro_batch_tokens != 0) {
    throw InputError(fmt::format("--batch-tokens {} is no multiple of --micro-batch-tokens {}",
                                 recipe.batch_tokens, recipe.micro_batch_tokens));
  }
  if (recipe.row_tokens > recipe.config.max_position_embeddings) {
    throw InputError(fmt::format("--row-tokens {} is longer than the configuration's context, {}",
                                 recipe.row_tokens, recipe.config.max_position_embeddings));
  }
  const auto share = [](const char* option, double value) {
    if (!(value >= 0 && value <= 1)) {
      throw InputError(fmt::format("{} is {}; give a share between 0 and 1", option, value));
    }
  };
  share("--feedback-start", recipe.feedback_start);
  share("--prefix-share", recipe.prefix_share);
  share("--warmup", recipe.warmup);
  share("--cooldown", recipe.cooldown);
  const auto not_negative = [](const char* option, double value) {
    if (!(value >= 0 && std::isfinite(value))) {
      throw InputError(fmt::format("{} is {}; give a number of at least 0", option, value));
    }
  };
  not_negative("--jitter", recipe.jitter);
  not_negative("--matrix-lr", recipe.matrix_lr);
  not_negative("--matrix-decay", recipe.matrix_decay);
  not_negative("--adam-lr", recipe.adam_lr);
  not_negative("--z-loss", recipe.z_loss);
  if ((recipe.family == Family::kStandard) == recipe.config.latent_feedback) {
    throw InputError(fmt::format("the {} family needs latent_feedback {} in the configuration",
                                 family_name(recipe.family),
                                 recipe.family == Family::kStandard ? "false" : "true"));
  }
  pass_schedule(recipe);
}

std::int64_t share_of_steps(const Recipe& recipe, double share) {
  return std::llround(share * static_cast<double>(recipe.steps()));
}

PassSchedule pass_schedule(const Recipe& recipe) {
  if (recipe.family == Family::kStandard) return {{1.0}, recipe.steps(), 0, recipe.seed};
  return {recipe.pass_shares, recipe.steps(), share_of_steps(recipe, recipe.feedback_start),
          recipe.seed};
}

nlohmann::json recipe_json(const Recipe& recipe) {
  return {{"name", recipe.name},
          {"family", family_name(recipe.family)},
          {"config", nlohmann::json::parse(model_config_text(recipe.config))},
          {"seed", recipe.seed},
          {"tokens", recipe.tokens},
          {"batch_tokens", recipe.batch_tokens},
          {"row_tokens", recipe.row_tokens},
          {"micro_batch_tokens", recipe.micro_batch_tokens},
          {"pass_shares", recipe.pass_shares},
          {"feedback_start", recipe.feedback_start},
          {"prefix_share", recipe.prefix_share},
          {"jitter", recipe.jitter},
          {"matrix_lr", recipe.matrix_lr},
          {"matrix_decay", recipe.matrix_decay},
          {"adam_lr", recipe.adam_lr},
          {"warmup", recipe.warmup},
          {"cooldown", recipe.cooldown},
          {"z_loss", recipe.z_loss},
          {"bfloat16", recipe.bfloat16}};
}

}  // namespace fbt::train
