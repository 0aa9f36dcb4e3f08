#include "harness/decode/prefill.h"

#include <map>

#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

#include "tests/harness/decode/engines.h"
#include "tests/harness/decode/random_model.h"
#include "tests/harness/model/golden_model.h"

namespace fbt {
namespace {

using testing::distance;
using testing::HeldWeights;
using testing::make_engine;

constexpr double kTolerance = 1e-8;  // float64 with sums in another order

// States [T,D] of every (sequence, pass) as the engine computes them.
using States = std::map<std::pair<int, int>, at::Tensor>;

States engine_states(const InferenceModel& model, const std::vector<TreeSequence>& sequences,
                     std::int64_t batch_tokens, std::int64_t plain_prefix = 0) {
  const c10::NoGradGuard no_grad;
  at::set_num_threads(1);
  const PrefixTree tree(sequences);
  KvPool pool(model.config(), model.compute_type(), 1 << 28, model.arena());
  std::map<std::pair<int, int>, std::vector<at::Tensor>> by_node;  // (node, pass) -> slices
  int ready = 0;
  Prefill::Plan plan;
  plan.plain_prefix = plain_prefix;
  plan.computed = [&](const ComputedPass& computed) {
    for (const ComputedSlice& slice : computed.slices) {
      by_node[{slice.node, computed.pass}].push_back(
          computed.states.narrow(0, slice.first_row, slice.end - slice.begin));
    }
  };
  plan.ready = [&](int sequence, const std::shared_ptr<const PrefixState>& state) {
    ++ready;
    const TreeSequence& one = sequences[static_cast<std::size_t>(sequence)];
    EXPECT_GE(static_cast<int>(state->size()), one.passes);
    for (const PassState& pass : *state) {
      EXPECT_EQ(pass.cache.length(), static_cast<std::int64_t>(one.tokens.size()));
    }
  };
  Profile profile;
  {
    Prefill prefill(model, pool, tree, std::move(plan), profile);
    while (!prefill.done()) prefill.step(batch_tokens);
    EXPECT_EQ(prefill.computed_tokens(), tree.planned());
  }
  EXPECT_EQ(ready, static_cast<int>(sequences.size()));
  EXPECT_EQ(pool.bytes_in_use(), 0);
  States states;
  for (int s = 0; s < static_cast<int>(sequences.size()); ++s) {
    const TreeSequence& sequence = sequences[static_cast<std::size_t>(s)];
    for (int pass = 0; pass < sequence.passes; ++pass) {
      std::vector<at::Tensor> parts;
      std::int64_t position = 0;
      while (position < static_cast<std::int64_t>(sequence.tokens.size())) {
        const int node = tree.node_at(s, position);
        const auto& slices = by_node.at({node, pass});
        parts.insert(parts.end(), slices.begin(), slices.end());
        position = tree.nodes()[static_cast<std::size_t>(node)].end();
      }
      states[{s, pass}] = at::cat(parts);
    }
  }
  return states;
}

std::vector<TreeSequence> random_sequences(std::mt19937& random, const ModelConfig& config) {
  std::vector<TreeSequence> sequences(1 + random() % 6);
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    std::vector<int> tokens = testing::random_tokens(random, config, 1 + random() % 40);
    if (i > 0 && random() % 3 != 0) {
      // Shares a prefix with an earlier one.
      const std::vector<int>& other = sequences[random() % i].tokens;
      const std::size_t shared = random() % (other.size() + 1);
      tokens.insert(tokens.begin(), other.begin(),
                    other.begin() + static_cast<std::ptrdiff_t>(shared));
      if (tokens.size() > 64) tokens.resize(64);
    }
    sequences[i] = {tokens, 1 + static_cast<int>(random() % 4)};
  }
  return sequences;
}

class Prefill : public ::testing::TestWithParam<testing::Engine> {};

INSTANTIATE_TEST_SUITE_P(Engines, Prefill, ::testing::ValuesIn(testing::kEngines),
                         testing::engine_case_name);

// The engine against the formulas: windows, head counts, BOS positions, shared
// prefixes, batch sizes down to one token and passes, all at random.
TEST_P(Prefill, EqualsTheTransformerOnRandomModels) {
  std::mt19937 random(11);
  for (int round = 0; round < 40; ++round) {
    const ModelConfig config = testing::random_config(random);
    SCOPED_TRACE(testing::describe(config));
    const HeldWeights weights(config, random());
    const Transformer reference(config, weights.tensors());
    const auto model = make_engine(GetParam(), config, weights, at::kDouble, random() % 2 == 0);
    const auto sequences = random_sequences(random, config);
    const auto batch_tokens = static_cast<std::int64_t>(1 + random() % (random() % 2 ? 5 : 200));
    const auto plain_prefix = static_cast<std::int64_t>(random() % 2 ? random() % 10 : 0);
    const States states = engine_states(*model, sequences, batch_tokens, plain_prefix);
    for (const auto& [key, tensor] : states) {
      const auto& tokens = sequences[static_cast<std::size_t>(key.first)].tokens;
      const at::Tensor expected =
          reference.states(testing::token_row(tokens), key.second, plain_prefix)[0];
      ASSERT_LT(distance(tensor, expected), kTolerance)
          << "pass " << key.second << ", batches of " << batch_tokens;
    }
  }
}

// Float32 and bfloat16 run the same code; their rounding is what differs.
TEST_P(Prefill, OtherNumberFormatsStayNearTheTransformer) {
  const struct {
    at::ScalarType dtype;
    double tolerance;  // root mean square error over that of the states
  } cases[] = {{at::kFloat, 1e-4}, {at::kBFloat16, 0.15}};
  for (const auto& format : cases) {
    std::mt19937 random(13);
    for (int round = 0; round < 10; ++round) {
      const ModelConfig config = testing::random_config(random);
      SCOPED_TRACE(testing::describe(config));
      const HeldWeights weights(config, random());
      const Transformer reference(config, weights.tensors());
      const auto model = make_engine(GetParam(), config, weights, format.dtype, false);
      std::vector<TreeSequence> sequences = random_sequences(random, config);
      for (TreeSequence& sequence : sequences) sequence.passes = 1;
      for (const auto& [key, tensor] : engine_states(*model, sequences, 7)) {
        const auto& tokens = sequences[static_cast<std::size_t>(key.first)].tokens;
        const at::Tensor expected = reference.states(testing::token_row(tokens), 0)[0];
        const double error = (tensor.to(at::kDouble) - expected).norm().item<double>();
        EXPECT_LT(error / expected.norm().item<double>(), format.tolerance);
      }
    }
  }
}

TEST_P(Prefill, GoldenPasses) {
  FBT_REQUIRE_SHARED("golden/model/expected.json");
  const Checkpoint checkpoint = open_checkpoint(testing::golden_folder().string());
  const auto model =
      make_engine(GetParam(), checkpoint.config, *open_weights(checkpoint), at::kDouble, false);
  const auto& golden = testing::golden_outputs();
  const auto tokens = golden.at("tokens").get<std::vector<int>>();
  for (const std::int64_t batch_tokens : {1, 7, 100}) {
    const States states = engine_states(*model, {{tokens, 7}}, batch_tokens);
    for (const auto& expected : golden.at("passes")) {
      const int steps = expected.at("feedback_steps").get<int>();
      EXPECT_LT(
          distance(model->logits(states.at({0, steps})), testing::to_tensor(expected.at("logits"))),
          1e-6)
          << steps;
    }
  }
  const auto inner_bos = golden.at("tokens_with_inner_bos").get<std::vector<int>>();
  EXPECT_LT(distance(model->logits(engine_states(*model, {{inner_bos, 3}}, 6).at({0, 2})),
                     testing::to_tensor(golden.at("inner_bos_two_steps_logits"))),
            1e-6);
  EXPECT_LT(distance(model->logits(engine_states(*model, {{tokens, 3}}, 6, 8).at({0, 2})),
                     testing::to_tensor(golden.at("prefix_plain_to_8_two_steps_logits"))),
            1e-6);
}

// The golden model amplifies rounding (see transformer_test.cpp): bfloat16's 8
// bits become a root mean square error of 0.17 in logits of a size near 2.
TEST_P(Prefill, GoldenPlainPassInBfloat16) {
  FBT_REQUIRE_SHARED("golden/model/expected.json");
  const Checkpoint checkpoint = open_checkpoint(testing::golden_folder().string());
  const auto model =
      make_engine(GetParam(), checkpoint.config, *open_weights(checkpoint), at::kBFloat16, false);
  const auto& golden = testing::golden_outputs();
  const auto tokens = golden.at("tokens").get<std::vector<int>>();
  const at::Tensor logits = model->logits(engine_states(*model, {{tokens, 1}}, 100).at({0, 0}));
  const at::Tensor expected = testing::to_tensor(golden.at("passes")[0].at("logits"));
  EXPECT_LT((logits - expected).square().mean().sqrt().item<double>(), 0.25);
}

}  // namespace
}  // namespace fbt
