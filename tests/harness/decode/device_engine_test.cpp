// What is particular to the engine of LibTorch's operations: it gives what the
// CPU's kernels give, its cache, its choice of tokens, and names of devices.

#include <cmath>

#include <c10/core/GradMode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/random.h"
#include "harness/decode/device/engine_device.h"
#include "harness/decode/torch_environment.h"
#include "tests/harness/decode/engines.h"
#include "tests/harness/decode/letter_model.h"

namespace fbt {
namespace {

using testing::Engine;
using ::testing::HasSubstr;
using testing::LetterModel;

// Samples, greedy tokens and log-likelihoods of all modes, at random models.
TEST(DeviceEngine, GivesWhatTheKernelsGive) {
  std::mt19937 random(21);
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    LetterModel letters;
    letters.make(seed, true);
    SCOPED_TRACE(testing::describe(letters.config()));
    TorchBackendOptions kernels = letters.options("cpu");
    TorchBackendOptions portable = letters.options("cpu:portable");
    portable.batch_rows = 1 + static_cast<int>(random() % 20);
    portable.batch_tokens = 1 + static_cast<std::int64_t>(random() % 60);
    const auto one = make_torch_backend(kernels);
    const auto other = make_torch_backend(portable);

    const auto requests = testing::mixed_requests(random, 40);
    const auto expected = testing::generate_all(*one, requests);
    const auto completions = testing::generate_all(*other, requests);
    for (std::size_t i = 0; i < requests.size(); ++i) {
      testing::expect_equal(completions[i], expected[i]);
    }

    std::vector<ScoreRequest> scores;
    for (int i = 0; i < 20; ++i) {
      scores.push_back({testing::random_letters(random, random() % 20),
                        testing::random_letters(random, 1 + random() % 9), static_cast<Mode>(i % 3),
                        static_cast<int>(random() % 3)});
    }
    const auto expected_scores = testing::score_all(*one, scores);
    const auto results = testing::score_all(*other, scores);
    for (std::size_t i = 0; i < scores.size(); ++i) {
      EXPECT_NEAR(results[i].log_likelihood, expected_scores[i].log_likelihood, 1e-7);
      EXPECT_EQ(results[i].is_greedy, expected_scores[i].is_greedy);
    }
    EXPECT_EQ(one->counters().generated_tokens, other->counters().generated_tokens);
    EXPECT_EQ(one->counters().prompt_tokens_computed, other->counters().prompt_tokens_computed);
  }
}

// The two ways from logits to tokens, over the same states: vocabularies as they
// come, temperatures from cold to hot, forced tokens, several wanted in a row.
TEST(DeviceEngine, ChoosesAndScoresAsTheKernelsDo) {
  const c10::NoGradGuard no_grad;
  std::mt19937 random(22);
  Profile profile;
  for (int round = 0; round < 10; ++round) {
    const ModelConfig config = testing::random_config(random);
    const testing::HeldWeights weights(config, random());
    const auto kernels =
        testing::make_engine(Engine::kKernels, config, weights, at::kDouble, false);
    const auto portable =
        testing::make_engine(Engine::kPortable, config, weights, at::kDouble, false);
    const auto rows = static_cast<std::int64_t>(1 + random() % 150);
    const at::Tensor states = at::randn({rows, config.hidden_size}, at::kDouble);
    std::vector<TokenChoice> choices;
    std::vector<ScoredToken> wanted;
    for (std::int64_t row = 0; row < rows; ++row) {
      const auto token = static_cast<int>(random() % static_cast<unsigned>(config.vocab_size));
      const KeyedRandom keyed(random());
      switch (random() % 3) {
        case 0:
          choices.push_back({});
          break;
        case 1:
          choices.push_back({token, 0, 0});
          break;
        default:
          choices.push_back({-1, 0.05 + 0.4 * static_cast<double>(random() % 8), keyed.uniform(0)});
      }
      wanted.push_back({static_cast<std::int64_t>(random() % static_cast<unsigned>(rows)), token});
    }
    const auto expect_same = [](const std::vector<ChosenToken>& a,
                                const std::vector<ChosenToken>& b) {
      ASSERT_EQ(a.size(), b.size());
      for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_EQ(a[i].token, b[i].token);
        EXPECT_NEAR(a[i].log_likelihood, b[i].log_likelihood, 1e-9);
        EXPECT_EQ(a[i].is_argmax, b[i].is_argmax);
      }
    };
    const PendingTokens chosen = portable->choose(states, choices, profile);
    const std::vector<ChosenToken> seen = chosen.wait();
    for (std::int64_t row = 0; row < rows; ++row) {
      EXPECT_EQ(chosen.tokens[row].item<std::int64_t>(), seen[static_cast<std::size_t>(row)].token);
    }
    expect_same(seen, kernels->choose(states, choices, profile).wait());
    expect_same(portable->score(states, wanted, profile)(),
                kernels->score(states, wanted, profile)());
  }
}

// A uniform number of almost 1 gives the last token that can come, not one past it.
TEST(DeviceEngine, SamplesStayWithinTheDistribution) {
  std::mt19937 random(23);
  const ModelConfig config = testing::random_config(random);
  const testing::HeldWeights weights(config, 3);
  const auto model = testing::make_engine(Engine::kPortable, config, weights, at::kFloat, false);
  Profile profile;
  const at::Tensor states = at::randn({2, config.hidden_size}) * 300;
  const std::vector<TokenChoice> choices(2, {-1, 0.3, std::nextafter(1.0, 0.0)});
  for (const ChosenToken& token : model->choose(states, choices, profile).wait()) {
    EXPECT_LT(token.token, config.vocab_size);
    EXPECT_TRUE(std::isfinite(token.log_likelihood));
  }
}

TEST(KvArena, HandsOutEveryPageOnceAndKeepsItsContentsWhenItGrows) {
  std::mt19937 random(24);
  ModelConfig config = testing::random_config(random);
  config.num_hidden_layers = 3;
  config.full_attention_interval = 3;
  KvArena arena(config, at::kDouble, at::kCPU);
  std::vector<std::int32_t> mine = arena.take(LayerKind::kSliding, 3);
  const std::int64_t slot = mine[1] * KvArena::kPageSlots + 5;
  arena.keys(LayerKind::kSliding, 1)[slot].fill_(7);
  std::vector<int> seen(10000, 0);
  for (const std::int32_t page : mine) ++seen[static_cast<std::size_t>(page)];
  for (int i = 0; i < 20; ++i) {
    const auto more = arena.take(LayerKind::kSliding, 1 + static_cast<std::int64_t>(random() % 99));
    for (const std::int32_t page : more) ++seen[static_cast<std::size_t>(page)];
  }
  EXPECT_EQ(seen[0], 0);  // the null slot's page
  EXPECT_THAT(seen, ::testing::Each(::testing::Le(1)));
  EXPECT_TRUE(arena.keys(LayerKind::kSliding, 1)[slot].eq(7).all().item<bool>());
  EXPECT_EQ(arena.keys(LayerKind::kSliding, 0)[KvArena::kNullSlot].abs().sum().item<double>(), 0);
  arena.give_back(LayerKind::kSliding, mine);
  EXPECT_EQ(arena.take(LayerKind::kSliding, 3), mine);  // before the arena grows again
}

TEST(EngineDevice, NamesWhatLibTorchOffers) {
  const auto message = [](std::string_view name) {
    try {
      parse_device(name);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message("cpu"), "");
  EXPECT_EQ(message("cpu:portable"), "");
  for (const char* name : {"tpu", "CPU", "cuda:", "cuda:x", "cuda:-1", "cpu:0", ""}) {
    EXPECT_EQ(message(name), std::string("unknown --device '") + name +
                                 "'; known: cpu, cpu:portable, cuda, cuda:N");
  }
  const TorchEnvironment torch = torch_environment();
  EXPECT_THAT(message("cuda:77"), HasSubstr("--device cuda:77: LibTorch " + torch.version));
  EXPECT_THAT(message("cuda:77"), HasSubstr("offers cpu"));
  EXPECT_EQ(message("cuda").empty(), !torch.cuda_devices.empty());
}

TEST(EngineDevice, BatchInvarianceIsTheCpusOnly) {
  const LetterModel letters;
  TorchBackendOptions options = letters.options("cpu:portable");
  options.batch_invariant = true;
  EXPECT_THROW(make_torch_backend(options), InputError);
}

}  // namespace
}  // namespace fbt
