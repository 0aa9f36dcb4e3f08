#include "harness/train/trainer.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <vector>

#include "base/error.h"
#include "harness/model/checkpoint.h"
#include "tests/harness/train/small_model.h"
#include "tests/support/paths.h"

namespace fbt::train {
namespace {

Recipe small_recipe() {
  Recipe recipe;
  recipe.config = small_config();
  recipe.tokens = 12 * 64;
  recipe.batch_tokens = 64;
  recipe.micro_batch_tokens = 32;
  recipe.row_tokens = 16;
  recipe.pass_shares = {0.4, 0.4, 0.2};
  recipe.feedback_start = 0.25;
  return recipe;
}

// Documents that count upwards modulo 12 from a start of their own.
PackedRows counting_rows(std::int64_t length) {
  return {[](std::uint64_t index) { return std::string(1, static_cast<char>('a' + index % 7)); },
          [](const std::string& text) {
            std::vector<int> ids;
            for (int i = 0; i < 9; ++i) ids.push_back((text[0] - 'a' + i) % 12 + 1);
            return ids;
          },
          0, length};
}

Trainer make_trainer(const Recipe& recipe) {
  return {recipe, counting_rows(recipe.row_tokens)};
}

void run(Trainer& trainer, std::int64_t steps) {
  for (std::int64_t i = 0; i < steps; ++i) trainer.step();
}

bool same_weights(const Trainer& a, const Trainer& b) {
  for (std::size_t i = 0; i < a.parameters().size(); ++i) {
    if (!at::equal(a.parameters()[i].second, b.parameters()[i].second)) return false;
  }
  return true;
}

class TrainerDtype : public ::testing::TestWithParam<bool> {};

TEST_P(TrainerDtype, OneSeedGivesTheSameWeights) {
  Recipe recipe = small_recipe();
  recipe.bfloat16 = GetParam();
  Trainer one = make_trainer(recipe), again = make_trainer(recipe);
  run(one, 12);
  run(again, 12);
  EXPECT_TRUE(same_weights(one, again));
  recipe.seed = 2;
  Trainer other = make_trainer(recipe);
  run(other, 12);
  EXPECT_FALSE(same_weights(one, other));
}

TEST_P(TrainerDtype, ResumeEqualsUninterrupted) {
  const fbt::testing::TemporaryFolder folder;
  Recipe recipe = small_recipe();
  recipe.bfloat16 = GetParam();
  Trainer whole = make_trainer(recipe);
  {
    Trainer first = make_trainer(recipe);
    EXPECT_FALSE(first.resume(folder.path()));
    run(first, 3);
    first.save(folder.path());
    run(first, 2);
    first.save(folder.path());
  }
  Trainer second = make_trainer(recipe);
  ASSERT_TRUE(second.resume(folder.path()));
  EXPECT_EQ(second.steps_done(), 5);
  run(whole, 5);
  while (!whole.finished()) {
    const results::TrainingStep a = whole.step(), b = second.step();
    EXPECT_EQ(a.loss, b.loss);
    EXPECT_EQ(a.last_pass_loss, b.last_pass_loss);
    EXPECT_EQ(a.tokens, b.tokens);
  }
  EXPECT_TRUE(second.finished());
  EXPECT_TRUE(same_weights(whole, second));
}

INSTANTIATE_TEST_SUITE_P(Dtypes, TrainerDtype, ::testing::Bool());

TEST(Trainer, RefusesAnotherRecipesState) {
  const fbt::testing::TemporaryFolder folder;
  Trainer trainer = make_trainer(small_recipe());
  trainer.step();
  trainer.save(folder.path());
  Recipe other = small_recipe();
  other.jitter = 0.5;
  Trainer second = make_trainer(other);
  try {
    second.resume(folder.path());
    ADD_FAILURE() << "resumed";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("another 'jitter'"));
  }
}

Recipe trunk_recipe() {
  Recipe recipe = small_recipe();
  recipe.family = Family::kStandard;
  recipe.config.latent_feedback = false;
  recipe.tokens = 3 * 64;
  recipe.warmup = 2.0 / 3;
  recipe.cooldown = 0;
  return recipe;
}

// Twelve steps, of which the first three are the trunk's.
Recipe branch_recipe() {
  Recipe recipe = small_recipe();
  recipe.warmup = 2.0 / 12;
  return recipe;
}

// A plain trunk with both its families' branches equals two whole trainings.
TEST(Trainer, BranchEqualsUninterrupted) {
  const fbt::testing::TemporaryFolder folder;
  Trainer trunk = make_trainer(trunk_recipe());
  run(trunk, 3);
  trunk.save(folder.path());
  Recipe standard = branch_recipe();
  standard.family = Family::kStandard;
  standard.config.latent_feedback = false;
  for (const Recipe& recipe : {branch_recipe(), standard}) {
    Trainer whole = make_trainer(recipe), branch = make_trainer(recipe);
    branch.branch_from(folder.path());
    EXPECT_EQ(branch.steps_done(), 3);
    run(whole, 3);
    while (!whole.finished()) EXPECT_EQ(whole.step().last_pass_loss, branch.step().last_pass_loss);
    EXPECT_TRUE(branch.finished());
    EXPECT_TRUE(same_weights(whole, branch)) << family_name(recipe.family);
  }
}

TEST(Trainer, RefusesATrunkOfAnotherTraining) {
  const struct {
    std::function<void(Recipe& trunk, Recipe& branch)> spoil;
    const char* message;
  } cases[] = {
      {[](Recipe&, Recipe& branch) { branch.seed = 2; }, "another 'seed'"},
      {[](Recipe&, Recipe& branch) { branch.config.sliding_window = 5; }, "another 'config'"},
      {[](Recipe& trunk, Recipe&) { trunk.cooldown = 0.5; }, "--cooldown 0"},
      {[](Recipe&, Recipe& branch) {
         branch.pass_shares = {0, 1}, branch.feedback_start = 0;
       },
       "--feedback-start"},
      {[](Recipe&, Recipe& branch) { branch.cooldown = 1; }, "full learning rate"},
      {[](Recipe&, Recipe& branch) { branch.warmup = 0.5; }, "full learning rate"},
  };
  for (const auto& [spoil, message] : cases) {
    const fbt::testing::TemporaryFolder folder;
    Recipe trunk = trunk_recipe(), branch = branch_recipe();
    spoil(trunk, branch);
    Trainer first = make_trainer(trunk);
    run(first, 3);
    first.save(folder.path());
    Trainer second = make_trainer(branch);
    try {
      second.branch_from(folder.path());
      ADD_FAILURE() << "taken, where expected: " << message;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), ::testing::HasSubstr(message));
    }
  }
  const fbt::testing::TemporaryFolder nothing;
  Trainer trainer = make_trainer(branch_recipe());
  EXPECT_THROW(trainer.branch_from(nothing.path()), InputError);
}

TEST(Trainer, LossFalls) {
  Recipe recipe = small_recipe();
  recipe.tokens = 150 * 64;
  recipe.bfloat16 = false;
  recipe.adam_lr = 5e-3;
  Trainer trainer = make_trainer(recipe);
  const double before = trainer.step().loss;
  double last_pass = 0;
  while (!trainer.finished()) last_pass = trainer.step().last_pass_loss;
  // Guessing evenly among 13 costs 2.56; counting leaves only what starts a document.
  EXPECT_GT(before, 2);
  EXPECT_LT(last_pass, 1);
}

// Gradients of micro batches add up to those of the whole batch.
TEST(Trainer, MicroBatchesAccumulate) {
  Recipe recipe = small_recipe();
  recipe.bfloat16 = false;
  recipe.pass_shares = {1};  // noise and prefixes are drawn by micro batch
  Trainer parts = make_trainer(recipe);
  recipe.micro_batch_tokens = recipe.batch_tokens;
  Trainer whole = make_trainer(recipe);
  const results::TrainingStep a = parts.step(), b = whole.step();
  EXPECT_NEAR(a.loss, b.loss, 1e-5);
  EXPECT_NEAR(a.gradient_norm, b.gradient_norm, 1e-5);
  for (std::size_t i = 0; i < parts.parameters().size(); ++i) {
    EXPECT_TRUE(
        at::allclose(parts.parameters()[i].second, whole.parameters()[i].second, 1e-3, 1e-5))
        << parts.parameters()[i].first;
  }
}

TEST(Trainer, StopsWhereTheLossIsNotFinite) {
  Trainer trainer = make_trainer(small_recipe());
  trainer.step();
  {
    const c10::NoGradGuard no_grad;
    trainer.parameters().back().second.fill_(std::nan(""));  // feedback.norm: hurts fused passes
    trainer.parameters().front().second[1].fill_(std::nan(""));
  }
  const at::Tensor before = trainer.parameters()[1].second.detach().clone();
  EXPECT_THROW(trainer.step(), EnvironmentError);
  EXPECT_TRUE(at::equal(trainer.parameters()[1].second, before));
  EXPECT_EQ(trainer.steps_done(), 1);
}

// An update can ruin weights that stay finite; only the next step shows it. So a
// step is saved when the next one has found it good.
TEST(Trainer, SavesAStepOnceTheNextFindsItGood) {
  const fbt::testing::TemporaryFolder folder;
  Recipe recipe = small_recipe();
  recipe.warmup = 0;
  recipe.adam_lr = 1e18;
  Trainer trainer = make_trainer(recipe);
  std::vector<std::int64_t> saved;
  const auto save = [&] {
    saved.push_back(trainer.steps_done());
    trainer.save(folder.path());
  };
  trainer.step(save);
  EXPECT_TRUE(trainer.parameters()[0].second.isfinite().all().item<bool>());
  EXPECT_THROW(trainer.step(save), EnvironmentError);
  EXPECT_THAT(saved, ::testing::ElementsAre(0));
  Trainer again = make_trainer(recipe);
  ASSERT_TRUE(again.resume(folder.path()));
  EXPECT_TRUE(same_weights(again, make_trainer(recipe)));
}

// The last update has no step after it that would find it bad.
TEST(Trainer, ChecksWhatTheLastUpdateLeft) {
  Recipe recipe = small_recipe();
  recipe.tokens = 64;  // one step
  recipe.warmup = 0;
  Trainer sound = make_trainer(recipe);
  sound.check_weights();  // nothing to judge yet
  sound.step();
  sound.check_weights();
  recipe.adam_lr = 1e18;
  Trainer ruined = make_trainer(recipe);
  ruined.step();
  ASSERT_TRUE(ruined.finished());
  try {
    ruined.check_weights();
    ADD_FAILURE() << "found good";
  } catch (const EnvironmentError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("diverged at step 1 (loss "));
  }
  const c10::NoGradGuard no_grad;
  sound.parameters().back().second[0].fill_(INFINITY);
  try {
    sound.check_weights();
    ADD_FAILURE() << "found good";
  } catch (const EnvironmentError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("(model.feedback.norm.weight is not finite)"));
  }
}

TEST_P(TrainerDtype, CheckingChangesNothing) {
  Recipe recipe = small_recipe();
  recipe.bfloat16 = GetParam();
  Trainer checked = make_trainer(recipe), plain = make_trainer(recipe);
  while (!plain.finished()) {
    const results::TrainingStep a = checked.step(), b = plain.step();
    EXPECT_EQ(a.loss, b.loss);
    EXPECT_EQ(a.gradient_norm, b.gradient_norm);
    checked.check_weights();
  }
  EXPECT_TRUE(same_weights(checked, plain));
}

TEST(Trainer, FillsFbtJson) {
  const fbt::testing::TemporaryFolder folder;
  Recipe recipe = small_recipe();
  recipe.name = "tiny";
  Trainer trainer = make_trainer(recipe);
  std::int64_t passes = 0;
  while (!trainer.finished()) passes += trainer.step().passes;
  trainer.save_checkpoint(folder.path(), at::kBFloat16);
  const Checkpoint checkpoint = open_checkpoint(folder.path().string());
  EXPECT_EQ(checkpoint.facts.name, "tiny");
  EXPECT_EQ(checkpoint.facts.train_tokens, 12.0 * 64);
  EXPECT_DOUBLE_EQ(*checkpoint.facts.average_passes, static_cast<double>(passes) / 12);
  EXPECT_EQ(checkpoint.facts.family, Family::kFullBandwidth);
  EXPECT_EQ(checkpoint.config.torch_dtype, "bfloat16");
  const NamedTensors loaded = load_all(*open_weights(checkpoint), checkpoint.config, at::kBFloat16);
  EXPECT_TRUE(at::equal(loaded[0].second, trainer.parameters()[0].second.to(at::kBFloat16)));
}

TEST(Trainer, StandardFamilyHasOnePass) {
  Recipe recipe = small_recipe();
  recipe.family = Family::kStandard;
  recipe.config.latent_feedback = false;
  Trainer trainer = make_trainer(recipe);
  while (!trainer.finished()) EXPECT_EQ(trainer.step().passes, 1);
}

}  // namespace
}  // namespace fbt::train
