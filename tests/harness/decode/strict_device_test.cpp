// The engine on a device that is not the CPU: every tensor it makes must be
// there, or the device refuses the operation.

#include <c10/core/GradMode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/decode/generate_job.h"
#include "harness/decode/score_job.h"
#include "tests/harness/decode/engines.h"
#include "tests/harness/decode/letter_model.h"
#include "tests/harness/decode/strict_device.h"

namespace fbt {
namespace {

using testing::kStrictDevice;

TEST(StrictDevice, ComputesAndRefusesStrangers) {
  const at::Tensor here = at::arange(6, at::kDouble).view({2, 3});
  const at::Tensor there = here.to(kStrictDevice);
  EXPECT_EQ(there.device(), kStrictDevice);
  EXPECT_TRUE(at::equal(at::matmul(there, there.t()).cpu(), at::matmul(here, here.t())));
  at::Tensor sum = there.clone();
  sum.narrow(1, 1, 2).add_(there.narrow(1, 0, 2) * 2);
  EXPECT_EQ(sum.cpu()[1][2].item<double>(), 13);
  EXPECT_THROW(there + here, c10::Error);
  EXPECT_THROW(there.index_select(0, at::zeros({1}, at::kLong)), c10::Error);
  EXPECT_THROW(at::cat({there, here}), c10::Error);
}

// A model with the jobs that the backend gives it.
class Runner {
 public:
  Runner(const testing::LetterModel& letters, std::unique_ptr<InferenceModel> model)
      : model_(std::move(model)),
        tokenizer_(Tokenizer::load(letters.folder())),
        pool_(model_->config(), model_->compute_type(), 1 << 26, model_->arena()) {
    text_.tokenizer = &tokenizer_;
    text_.prefix_token = 0;
    text_.context_length = model_->config().max_position_embeddings;
    text_.vocab_size = model_->config().vocab_size;
  }

  std::vector<Completion> generate(const std::vector<GenerateRequest>& requests) {
    std::vector<Completion> completions(requests.size());
    const GenerateSink sink = [&](std::size_t i, Completion&& completion) {
      completions[i] = std::move(completion);
      return true;
    };
    GenerateJob(requests, text_, {})
        .run(*model_, pool_, prefixes_, kLimits, sink, counters_, profile_);
    return completions;
  }

  std::vector<ScoreResult> score(const std::vector<ScoreRequest>& requests) {
    std::vector<ScoreResult> results(requests.size());
    const ScoreSink sink = [&](std::size_t i, ScoreResult&& result) {
      results[i] = std::move(result);
      return true;
    };
    ScoreJob(requests, text_).run(*model_, pool_, prefixes_, kLimits, sink, counters_, profile_);
    return results;
  }

 private:
  static constexpr EngineLimits kLimits{20, 8};
  std::unique_ptr<InferenceModel> model_;
  Tokenizer tokenizer_;
  TextTokens text_;
  KvPool pool_;
  PrefixCache prefixes_;
  BackendCounters counters_;
  Profile profile_;
};

TEST(StrictDevice, TheEngineKeepsAllItsTensorsOnIt) {
  const c10::NoGradGuard no_grad;
  std::mt19937 random(31);
  const struct {
    at::ScalarType compute;
    double tolerance;  // LibTorch may have another attention kernel for each device
  } formats[] = {{at::kDouble, 1e-9}, {at::kFloat, 1e-3}, {at::kBFloat16, 0.3}};
  for (const auto& [compute, tolerance] : formats) {
    testing::LetterModel letters;
    letters.make(5, true);
    const auto weights = open_weights(open_checkpoint(letters.folder().string()));
    Runner there(letters,
                 std::make_unique<DeviceModel>(letters.config(), *weights, compute, kStrictDevice));
    Runner here(letters,
                std::make_unique<DeviceModel>(letters.config(), *weights, compute, at::kCPU));
    const std::int64_t before = testing::strict_operations();
    const auto requests = testing::mixed_requests(random, 20);
    const auto expected = here.generate(requests);
    const auto completions = there.generate(requests);
    for (std::size_t i = 0; compute == at::kDouble && i < requests.size(); ++i) {
      testing::expect_equal(completions[i], expected[i]);
    }
    std::vector<ScoreRequest> scores;
    for (int i = 0; i < 12; ++i) {
      scores.push_back({testing::random_letters(random, random() % 20),
                        testing::random_letters(random, 1 + random() % 9), static_cast<Mode>(i % 3),
                        1});
    }
    const auto expected_scores = here.score(scores);
    const auto results = there.score(scores);
    for (std::size_t i = 0; i < scores.size(); ++i) {
      EXPECT_NEAR(results[i].log_likelihood, expected_scores[i].log_likelihood, tolerance);
    }
    EXPECT_GT(testing::strict_operations() - before, 1000);
  }
}

}  // namespace
}  // namespace fbt
