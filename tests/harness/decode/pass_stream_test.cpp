#include "harness/decode/pass_stream.h"

#include <algorithm>
#include <map>
#include <random>

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <gmock/gmock.h>

#include "base/error.h"
#include "base/file.h"
#include "harness/model/transformer.h"
#include "tests/harness/decode/random_model.h"
#include "tests/harness/model/golden_model.h"

namespace fbt {
namespace {

using ::testing::HasSubstr;

constexpr double kTolerance = 1e-6;

using Figures = std::map<std::pair<std::size_t, int>, PassFigures>;  // (sequence, step)

Figures run_all(PassStream& stream, const std::vector<std::vector<int>>& sequences, int steps) {
  Figures figures;
  std::vector<int> next(sequences.size(), 0);
  stream.run(sequences, steps, [&](std::size_t sequence, int step, const PassFigures& one) {
    EXPECT_EQ(step, next[sequence]++);
    figures[{sequence, step}] = one;
    return true;
  });
  EXPECT_THAT(next, ::testing::Each(steps + 1));
  return figures;
}

// Σ -log p of the tokens after the first, from logits [T,V].
double loss_of(const at::Tensor& logits, const std::vector<int>& tokens) {
  const at::Tensor log_p = at::log_softmax(logits.to(at::kDouble), 1);
  double loss = 0;
  for (std::size_t t = 0; t + 1 < tokens.size(); ++t) {
    loss -= log_p[static_cast<std::int64_t>(t)][tokens[t + 1]].item<double>();
  }
  return loss;
}

TEST(PassStream, GoldenLossStateChangeAndResiduals) {
  FBT_REQUIRE_SHARED("golden/model/expected.json");
  TorchBackendOptions options;
  options.checkpoint = testing::golden_folder().string();
  options.batch_tokens = 30;
  const auto stream = make_pass_stream(options);
  const auto& golden = testing::golden_outputs();
  const auto tokens = golden.at("tokens").get<std::vector<int>>();
  const auto inner_bos = golden.at("tokens_with_inner_bos").get<std::vector<int>>();
  const auto& passes = golden.at("passes");
  const Figures figures =
      run_all(*stream, {tokens, inner_bos}, static_cast<int>(passes.size()) - 1);
  for (std::size_t n = 0; n < passes.size(); ++n) {
    const PassFigures& one = figures.at({0, static_cast<int>(n)});
    EXPECT_NEAR(one.loss_sum, loss_of(testing::to_tensor(passes[n].at("logits")), tokens), 1e-4);
    if (n == 0) continue;
    EXPECT_NEAR(one.change_sum / static_cast<double>(tokens.size()),
                passes[n].at("state_delta").get<double>(), 1e-4);
  }
  EXPECT_NEAR(figures.at({1, 2}).loss_sum,
              loss_of(testing::to_tensor(golden.at("inner_bos_two_steps_logits")), inner_bos),
              1e-4);

  const std::vector<float> residuals = stream->last_residuals({{tokens}}, {{{}}})[0];
  const at::Tensor expected = testing::to_tensor(golden.at("residual_stream_last_position"));
  ASSERT_EQ(static_cast<std::int64_t>(residuals.size()), expected.numel());
  EXPECT_LT(testing::distance(at::tensor(residuals).reshape(expected.sizes()), expected), 1e-4);
}

// A random checkpoint as the stream and as the slow, obvious transformer.
struct Models {
  Models(std::mt19937& random, std::int64_t batch_tokens) : config(testing::random_config(random)) {
    const auto path = folder.path() / "config.json";
    write_file_atomically(path, model_config_text(config));
    TorchBackendOptions options;
    options.checkpoint = "random:" + path.string();
    options.weight_seed = 1 + random() % 1000;
    options.batch_tokens = batch_tokens;
    options.threads = 1;
    stream = make_pass_stream(options);
    reference = std::make_unique<Transformer>(
        config, load_all(*random_weights(options.weight_seed), config, at::kDouble));
  }

  testing::TemporaryFolder folder;
  ModelConfig config;
  std::unique_ptr<PassStream> stream;
  std::unique_ptr<Transformer> reference;
};

TEST(PassStream, AgreesWithTheObviousTransformer) {
  const c10::NoGradGuard no_grad;
  std::mt19937 random(5);
  for (int round = 0; round < 12; ++round) {
    const Models models(random, 1 + static_cast<std::int64_t>(random() % 90));
    SCOPED_TRACE(testing::describe(models.config));
    std::vector<std::vector<int>> sequences;
    for (int i = 0; i < 5; ++i) {
      sequences.push_back(testing::random_tokens(random, models.config, 2 + random() % 20));
    }
    const Figures figures = run_all(*models.stream, sequences, 3);
    for (const auto& [key, one] : figures) {
      const auto& [sequence, step] = key;
      const at::Tensor tokens = testing::token_row(sequences[sequence]);
      const at::Tensor states = models.reference->states(tokens, step);
      EXPECT_NEAR(one.loss_sum, loss_of(models.reference->logits(states)[0], sequences[sequence]),
                  kTolerance);
      const at::Tensor before = step == 0 ? states : models.reference->states(tokens, step - 1);
      EXPECT_NEAR(one.change_sum, (states - before).norm(2, 2).sum().item<double>(), kTolerance);
    }
  }
}

// [L+1, D] at the last position after the pass that `steps` fused passes end with.
at::Tensor reference_residuals(const Transformer& model, const std::vector<int>& sequence,
                               int steps, std::int64_t plain_prefix) {
  const at::Tensor tokens = testing::token_row(sequence);
  const at::Tensor embeddings = model.embed(tokens);
  const at::Tensor plain = model.plain_positions(tokens, plain_prefix);
  std::vector<at::Tensor> residuals;
  at::Tensor states = model.pass(embeddings, steps == 0 ? &residuals : nullptr);
  for (int step = 1; step <= steps; ++step) {
    states = model.pass(model.fused_pass_inputs(embeddings, states, plain),
                        step == steps ? &residuals : nullptr);
  }
  return at::stack(residuals).select(1, 0).select(1, -1);
}

TEST(PassStream, ResidualsOfEveryConditionAgree) {
  const c10::NoGradGuard no_grad;
  std::mt19937 random(6);
  for (int round = 0; round < 24; ++round) {
    const Models models(random, 1 + static_cast<std::int64_t>(random() % 90));
    SCOPED_TRACE(testing::describe(models.config));
    std::vector<std::vector<int>> sequences;
    for (int i = 0; i < 4; ++i) {
      sequences.push_back(testing::random_tokens(random, models.config, 5 + random() % 20));
    }
    // Together, in any order, as each alone.
    std::vector<PrefillCondition> conditions = {{0, 0}, {1, 0}, {3, 0}, {0, 1}, {0, 2}, {0, 4}};
    std::shuffle(conditions.begin(), conditions.end(), random);
    conditions.resize(1 + random() % conditions.size());
    const std::vector<std::vector<float>> residuals =
        models.stream->last_residuals(sequences, conditions);
    for (std::size_t c = 0; c < conditions.size(); ++c) {
      const PrefillCondition& condition = conditions[c];
      const at::Tensor all =
          at::tensor(residuals[c]).reshape({4, models.config.num_hidden_layers + 1, -1});
      for (std::size_t i = 0; i < sequences.size(); ++i) {
        // n fused passes after a plain prefix are n recurrent steps (DESIGN.md §1).
        const int steps = condition.suffix > 0 ? condition.suffix : condition.feedback_steps;
        const auto length = static_cast<std::int64_t>(sequences[i].size());
        const std::int64_t prefix = condition.suffix > 0 ? length - condition.suffix : 0;
        const at::Tensor expected =
            reference_residuals(*models.reference, sequences[i], steps, prefix);
        EXPECT_LT(testing::distance(all[static_cast<std::int64_t>(i)], expected), 1e-5)
            << condition.feedback_steps << " " << condition.suffix;
      }
    }
  }
}

// After as many passes as tokens the states are the recurrent model's, to the
// last bit, and stay there.
TEST(PassStream, StandsStillAfterAsManyPassesAsTokens) {
  std::mt19937 random(7);
  const Models models(random, 64);
  const auto tokens = testing::random_tokens(random, models.config, 12);
  const Figures figures = run_all(*models.stream, {tokens}, 30);
  EXPECT_EQ(figures.at({0, 12}).change_sum, 0);
  EXPECT_EQ(figures.at({0, 30}).change_sum, 0);
  EXPECT_EQ(figures.at({0, 30}).loss_sum, figures.at({0, 11}).loss_sum);
}

TEST(PassStream, StopsWhenTold) {
  std::mt19937 random(8);
  const Models models(random, 1);
  int calls = 0;
  models.stream->run(std::vector<std::vector<int>>(5, {0, 1, 2}), 4,
                     [&](std::size_t, int, const PassFigures&) { return ++calls < 3; });
  EXPECT_EQ(calls, 3);
}

TEST(PassStream, SaysWhatIsWrong) {
  std::mt19937 random(9);
  ModelConfig config = testing::random_config(random);
  config.latent_feedback = false;
  testing::TemporaryFolder folder;
  const auto path = folder.path() / "config.json";
  write_file_atomically(path, model_config_text(config));
  TorchBackendOptions options;
  options.checkpoint = "random:" + path.string();
  const auto stream = make_pass_stream(options);
  const auto message = [&](std::vector<int> tokens, int steps, PrefillCondition condition) {
    try {
      stream->run({{tokens}}, steps, [](std::size_t, int, const PassFigures&) { return true; });
      stream->last_residuals({{tokens}}, {{condition}});
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message({0, 1}, 0, {}), "");
  EXPECT_THAT(message({0, 1}, 1, {}), HasSubstr("has no feedback weights"));
  EXPECT_THAT(message({0, 1}, 0, {1, 0}), HasSubstr("has no feedback weights"));
  EXPECT_THAT(message({0, 1}, 0, {0, 1}), HasSubstr("has no feedback weights"));
  EXPECT_EQ(message({0}, 0, {}), "sequence 0 has 1 tokens; expected 2 to 64");
  EXPECT_EQ(message(std::vector<int>(65, 0), 0, {}), "sequence 0 has 65 tokens; expected 2 to 64");
  EXPECT_THAT(message({0, 999}, 0, {}), HasSubstr("outside the model's vocabulary"));
}

}  // namespace
}  // namespace fbt
