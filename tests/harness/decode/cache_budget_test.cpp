// The key/value cache's budget: results do not depend on it, it is kept, and
// what it holds between calls is not computed again.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "harness/decode/kv_cache.h"
#include "tests/harness/decode/letter_model.h"

namespace fbt {
namespace {

using testing::generate_all;
using testing::score_all;

class CacheBudget : public ::testing::Test, public testing::LetterModel {
 protected:
  // The least that requests of up to `positions` tokens in `passes` passes need.
  double least_gb(std::int64_t positions, std::int64_t passes) const {
    const KvPool pool(config(), at::kDouble, 0);
    return static_cast<double>((passes + 1) * pool.tail_bytes(positions) + 1) / 1e9;
  }
};

// A row's log-likelihood is rounded as its products are, and those depend on how
// many rows they have.
constexpr double kRounding = 1e-9;

TEST_F(CacheBudget, ASmallOneGivesTheSameResultsAndIsKept) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    make(seed, true);
    std::mt19937 random(static_cast<unsigned>(seed));
    const auto scores = testing::mixed_scores(random, 30);
    const auto prompts = testing::mixed_requests(random, 60);
    const auto wide = make_torch_backend(options());
    const auto expected_scores = score_all(*wide, scores);
    const auto expected = generate_all(*wide, prompts);
    for (const double factor : {1.0, 1.7, 5.0}) {
      TorchBackendOptions small = options();
      small.cache_gb = factor * least_gb(64, 3);
      const auto backend = make_torch_backend(small);
      const auto again_scores = score_all(*backend, scores);
      for (std::size_t i = 0; i < scores.size(); ++i) {
        EXPECT_NEAR(again_scores[i].log_likelihood, expected_scores[i].log_likelihood, kRounding);
      }
      const auto again = generate_all(*backend, prompts);
      for (std::size_t i = 0; i < prompts.size(); ++i) testing::expect_equal(again[i], expected[i]);
      const BackendCounters counters = backend->counters();
      EXPECT_LE(counters.cache_bytes_peak, counters.cache_bytes_budget) << factor;
      EXPECT_GE(counters.prompt_tokens_computed, wide->counters().prompt_tokens_computed);
      EXPECT_EQ(counters.prompt_tokens_asked, wide->counters().prompt_tokens_asked);
    }
  }
}

TEST_F(CacheBudget, OneThatHoldsNoRequestIsRefused) {
  TorchBackendOptions tiny = options();
  tiny.cache_gb = 1e-6;
  const auto backend = make_torch_backend(tiny);
  GenerateRequest request;
  request.prompt = "abc";
  request.max_new_tokens = 8;
  try {
    generate_all(*backend, {request});
    ADD_FAILURE() << "it ran";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("--cache-gb 1e-06 is too small: a prompt of 4"));
  }
}

TEST_F(CacheBudget, ALeanOneFollowsFromModelBatchAndPassesAndIsNeverMoreThanTheDefault) {
  const auto budget = [&](const TorchBackendOptions& of) {
    return make_torch_backend(of)->counters().cache_bytes_budget;
  };
  TorchBackendOptions lean = options();
  lean.cache_gb = 0;
  lean.batch_tokens = 100;
  lean.lean_cache_passes = 3;
  const KvPool pool(config(), at::kDouble, 0);
  const std::int64_t position =
      pool.bytes_per_position(LayerKind::kFull) + pool.bytes_per_position(LayerKind::kSliding);
  EXPECT_EQ(budget(lean), 3U * (pool.tail_bytes(64) + 4 * 100 * position));
  lean.lean_cache_passes = 1 << 30;
  EXPECT_LT(budget(lean), std::uint64_t{1} << 44);
  lean.cache_gb = 0.5;  // what is asked for is what is given
  EXPECT_EQ(budget(lean), 500000000U);
}

TEST_F(CacheBudget, ALeanOneGivesTheSameResults) {
  make(3, true);
  std::mt19937 random(3);
  const auto scores = testing::mixed_scores(random, 60);
  const auto expected = score_all(*make_torch_backend(options()), scores);
  TorchBackendOptions lean = options();
  lean.cache_gb = 0;
  lean.batch_tokens = 16;
  lean.lean_cache_passes = 3;
  const auto backend = make_torch_backend(lean);
  const auto again = score_all(*backend, scores);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    EXPECT_NEAR(again[i].log_likelihood, expected[i].log_likelihood, kRounding);
  }
  EXPECT_LT(backend->counters().cache_bytes_budget, 100'000'000U) << "it is not lean";
  EXPECT_LE(backend->counters().cache_bytes_peak, backend->counters().cache_bytes_budget);
}

TEST_F(CacheBudget, PrefixesOutliveACall) {
  std::mt19937 random(2);
  const std::string shots = testing::random_letters(random, 20);
  const auto requests_of = [&](std::initializer_list<const char*> questions) {
    std::vector<ScoreRequest> requests;
    for (const char* question : questions) {
      for (const Mode mode : {Mode::kStandard, Mode::kFused}) {
        requests.push_back({shots + question, " a", mode, 1});
      }
    }
    return requests;
  };
  const auto wide = make_torch_backend(options());
  const auto alone = make_torch_backend(options());
  score_all(*wide, requests_of({"bx", "cy", "dz"}));
  const std::uint64_t before = wide->counters().prompt_tokens_computed;
  const auto others = requests_of({"ex", "fy", "gz"});
  const auto again = score_all(*wide, others);
  // The shots with their BOS are there; new are "ex ", "fy " and "gz " in two
  // passes each.
  EXPECT_EQ(wide->counters().prompt_tokens_computed - before, 2U * 3 * 3);
  const auto expected = score_all(*alone, others);
  for (std::size_t i = 0; i < again.size(); ++i) {
    EXPECT_NEAR(again[i].log_likelihood, expected[i].log_likelihood, kRounding);
  }
}

TEST_F(CacheBudget, APromptAskedAgainIsNotComputedAgain) {
  const auto backend = make_torch_backend(options());
  GenerateRequest request;
  request.prompt = "some words";
  request.mode = Mode::kFused;
  request.max_new_tokens = 5;
  const auto first = generate_all(*backend, {request});
  const std::uint64_t before = backend->counters().prompt_tokens_computed;
  const auto again = generate_all(*backend, {request});
  EXPECT_EQ(backend->counters().prompt_tokens_computed, before);
  testing::expect_equal(first[0], again[0]);
  request.feedback_steps = 2;  // needs a pass that is not there
  generate_all(*backend, {request});
  EXPECT_EQ(backend->counters().prompt_tokens_computed - before, 3U * 11);
}

}  // namespace
}  // namespace fbt
