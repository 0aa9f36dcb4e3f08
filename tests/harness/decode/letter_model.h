#pragma once

// A backend asked everything at once, and a small random checkpoint on the disk
// whose tokenizer knows the letters.

#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "harness/decode/torch_backend.h"
#include "tests/harness/decode/letter_tokenizer.h"
#include "tests/harness/decode/random_model.h"
#include "tests/support/paths.h"

namespace fbt::testing {

inline std::vector<Completion> generate_all(Backend& backend,
                                            const std::vector<GenerateRequest>& requests) {
  std::vector<Completion> completions(requests.size());
  std::vector<int> seen(requests.size(), 0);
  backend.generate(requests, [&](std::size_t index, Completion&& completion) {
    ++seen[index];
    completions[index] = std::move(completion);
    return true;
  });
  EXPECT_THAT(seen, ::testing::Each(1));
  return completions;
}

inline std::vector<ScoreResult> score_all(Backend& backend,
                                          const std::vector<ScoreRequest>& requests) {
  std::vector<ScoreResult> results(requests.size());
  std::vector<int> seen(requests.size(), 0);
  backend.score(requests, [&](std::size_t index, ScoreResult&& result) {
    ++seen[index];
    results[index] = result;
    return true;
  });
  EXPECT_THAT(seen, ::testing::Each(1));
  return results;
}

// A small random checkpoint with a tokenizer of letters, on the disk.
class LetterModel {
 public:
  LetterModel() { make(7, true); }

  void make(std::uint64_t seed, bool feedback, std::int64_t context = 64) {
    std::mt19937 random(static_cast<unsigned>(seed));
    config_ = random_config(random);
    config_.vocab_size = kLetterVocabulary;
    config_.latent_feedback = feedback;
    config_.max_position_embeddings = context;
    config_.bos_token_id = 0;
    config_.eos_token_ids = {1};
    weights_ = std::make_unique<HeldWeights>(config_, seed);
    NamedTensors single;
    for (const auto& [name, tensor] : weights_->tensors()) {
      single.emplace_back(name, tensor.to(at::kFloat));
    }
    save_checkpoint(folder_.path(), config_, {}, single);
    write_file_atomically(folder_.path() / "tokenizer.json", letter_tokenizer());
  }

  TorchBackendOptions options(const std::string& device = "cpu") const {
    TorchBackendOptions options;
    options.checkpoint = folder_.path().string();
    options.cache_gb = 0.1;
    options.threads = 1;
    options.device = device;
    return options;
  }

  Transformer reference() const { return {config_, weights_->tensors()}; }

  // log p of the last `count` tokens, the slow way.
  std::pair<double, bool> expected_score(const std::vector<int>& tokens, std::size_t count,
                                         Mode mode, int steps) const {
    const std::vector<int> inputs(tokens.begin(), tokens.end() - 1);
    const auto context = static_cast<std::int64_t>(tokens.size() - count);
    // n fused passes with the prompt held plain reproduce soft decoding of n tokens.
    const int passes = mode == Mode::kStandard ? 0
                       : mode == Mode::kSoft   ? static_cast<int>(count)
                                               : steps;
    const at::Tensor states =
        reference().states(token_row(inputs), passes, mode == Mode::kSoft ? context : 0)[0];
    const at::Tensor log_p = reference().logits(states).log_softmax(-1);
    double sum = 0;
    bool greedy = true;
    for (std::size_t i = tokens.size() - count; i < tokens.size(); ++i) {
      const at::Tensor row = log_p[static_cast<std::int64_t>(i) - 1];
      sum += row[tokens[i]].item<double>();
      greedy = greedy && row.argmax().item<std::int64_t>() == tokens[i];
    }
    return {sum, greedy};
  }

  const std::filesystem::path& folder() const { return folder_.path(); }
  const ModelConfig& config() const { return config_; }

 private:
  TemporaryFolder folder_;
  ModelConfig config_;
  std::unique_ptr<HeldWeights> weights_;
};

// Prompts with much in common, of all modes, temperatures and lengths.
inline std::vector<GenerateRequest> mixed_requests(std::mt19937& random, std::size_t count) {
  std::vector<GenerateRequest> requests(count);
  const std::string shared = random_letters(random, 10);
  for (std::size_t i = 0; i < count; ++i) {
    GenerateRequest& request = requests[i];
    request.prompt = shared.substr(0, random() % 11) + random_letters(random, random() % 9);
    request.mode = static_cast<Mode>(random() % 3);
    request.feedback_steps = static_cast<int>(random() % 3);
    request.temperature = random() % 2 == 0 ? 0 : 0.3 + 0.1 * static_cast<double>(random() % 8);
    request.max_new_tokens = 1 + static_cast<int>(random() % 20);
    request.random_key = random();
    if (random() % 3 == 0) request.stop = {"ab", "c", "de f"};
  }
  return requests;
}

// Three choices a document in all modes, after shots that all have in common.
inline std::vector<ScoreRequest> mixed_scores(std::mt19937& random, std::size_t documents) {
  std::vector<ScoreRequest> requests;
  const std::string shots = random_letters(random, 15);
  for (std::size_t d = 0; d < documents; ++d) {
    const std::string context = shots + random_letters(random, 1 + random() % 9);
    for (int choice = 0; choice < 3; ++choice) {
      for (const Mode mode : {Mode::kStandard, Mode::kSoft, Mode::kFused}) {
        const std::size_t length = 1 + static_cast<std::size_t>(choice);
        requests.push_back({context, " " + random_letters(random, length), mode, 2});
      }
    }
  }
  return requests;
}

inline void expect_equal(const Completion& a, const Completion& b) {
  EXPECT_EQ(a.tokens, b.tokens);
  EXPECT_EQ(a.text, b.text);
  EXPECT_EQ(a.stop_reason, b.stop_reason);
  EXPECT_NEAR(a.log_likelihood, b.log_likelihood, 1e-6);
}

}  // namespace fbt::testing
