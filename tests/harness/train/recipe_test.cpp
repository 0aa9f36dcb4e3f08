#include "harness/train/recipe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "base/error.h"
#include "tests/harness/train/small_model.h"

namespace fbt::train {
namespace {

Recipe small_recipe() {
  Recipe recipe;
  recipe.config = small_config();
  recipe.tokens = 100;
  recipe.batch_tokens = 32;
  recipe.micro_batch_tokens = 16;
  recipe.row_tokens = 8;
  return recipe;
}

TEST(Recipe, CountsStepsUpwards) {
  EXPECT_NO_THROW(check_recipe(small_recipe()));
  EXPECT_EQ(small_recipe().steps(), 4);
  EXPECT_EQ(small_recipe().rows_per_step(), 4);
  EXPECT_EQ(small_recipe().rows_per_micro_batch(), 2);
}

TEST(Recipe, NamesTheWrongOption) {
  const struct {
    std::function<void(Recipe&)> spoil;
    const char* option;
  } cases[] = {
      {[](Recipe& r) { r.tokens = 0; }, "--tokens"},
      {[](Recipe& r) { r.row_tokens = -1; }, "--row-tokens"},
      {[](Recipe& r) { r.micro_batch_tokens = 12; }, "--micro-batch-tokens"},
      {[](Recipe& r) { r.batch_tokens = 24; }, "--batch-tokens"},
      {[](Recipe& r) { r.row_tokens = r.micro_batch_tokens = r.batch_tokens = 64; }, "context, 32"},
      {[](Recipe& r) { r.cooldown = 1.5; }, "--cooldown"},
      {[](Recipe& r) { r.warmup = std::nan(""); }, "--warmup"},
      {[](Recipe& r) { r.jitter = -0.1; }, "--jitter"},
      {[](Recipe& r) { r.matrix_lr = std::nan(""); }, "--matrix-lr"},
      {[](Recipe& r) { r.matrix_decay = -1; }, "--matrix-decay"},
      {[](Recipe& r) { r.adam_lr = INFINITY; }, "--adam-lr"},
      {[](Recipe& r) { r.z_loss = -1e-5; }, "--z-loss"},
      {[](Recipe& r) { r.family = Family::kStandard; }, "latent_feedback false"},
      {[](Recipe& r) { r.config.latent_feedback = false; }, "latent_feedback true"},
  };
  for (const auto& [spoil, option] : cases) {
    Recipe recipe = small_recipe();
    spoil(recipe);
    try {
      check_recipe(recipe);
      ADD_FAILURE() << option << " was taken";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), ::testing::HasSubstr(option));
    }
  }
}

}  // namespace
}  // namespace fbt::train
