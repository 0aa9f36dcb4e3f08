// The backend from outside: golden decoding, log-likelihoods against the slow,
// obvious way, and what batches must not change.

#include <algorithm>
#include <cmath>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "harness/decode/kv_cache.h"
#include "harness/decode/request_tokens.h"
#include "harness/decode/torch_backend.h"
#include "tests/harness/decode/engines.h"
#include "tests/harness/decode/letter_model.h"
#include "tests/harness/model/golden_model.h"

namespace fbt {
namespace {

using testing::expect_equal;
using testing::generate_all;
using ::testing::HasSubstr;
using testing::mixed_requests;
using testing::score_all;

// Every test holds for every engine.
class BackendOfEngine : public ::testing::TestWithParam<testing::Engine>,
                        public testing::LetterModel {
 protected:
  TorchBackendOptions options() const {
    return LetterModel::options(testing::device_of(GetParam()));
  }
};

INSTANTIATE_TEST_SUITE_P(Engines, BackendOfEngine, ::testing::ValuesIn(testing::kEngines),
                         testing::engine_case_name);

TEST_P(BackendOfEngine, GoldenDecodingInEveryMode) {
  FBT_REQUIRE_SHARED("golden/model/expected.json");
  TorchBackendOptions options;
  options.checkpoint = testing::golden_folder().string();
  options.threads = 2;
  options.device = testing::device_of(GetParam());
  const auto backend = make_torch_backend(options);
  std::vector<GenerateRequest> requests;
  const auto& cases = testing::golden_outputs().at("decode");
  for (const auto& expected : cases) {
    GenerateRequest request;
    request.prompt_tokens = expected.at("prompt").get<std::vector<int>>();
    request.mode = parse_mode(expected.at("mode").get<std::string>());
    request.feedback_steps = expected.at("feedback_steps").get<int>();
    request.max_new_tokens = static_cast<int>(expected.at("greedy_tokens").size());
    requests.push_back(request);
  }
  const auto completions = generate_all(*backend, requests);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    EXPECT_EQ(completions[i].tokens, cases[i].at("greedy_tokens").get<std::vector<int>>());
    EXPECT_EQ(completions[i].stop_reason, StopReason::kLength);
    // log p of each chosen token, from the logits that chose it.
    const at::Tensor logits = testing::to_tensor(cases[i].at("logits"));
    const double expected = std::get<0>(logits.log_softmax(-1).max(-1)).sum().item<double>();
    EXPECT_NEAR(completions[i].log_likelihood, expected, 1e-5);
  }
}

TEST_P(BackendOfEngine, ScoresAsTheFormulasSay) {
  std::mt19937 random(3);
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    make(seed, true);
    const auto backend = make_torch_backend(options());
    const Tokenizer tokenizer = Tokenizer::load(folder());
    std::vector<ScoreRequest> requests;
    const std::string shared = testing::random_letters(random, 12);
    for (int i = 0; i < 12; ++i) {
      ScoreRequest request;
      request.context = shared.substr(0, 3 * (random() % 5)) + testing::random_letters(random, 4);
      request.continuation = testing::random_letters(random, 1 + random() % 5).insert(0, 1, ' ');
      request.mode = static_cast<Mode>(i % 3);
      request.feedback_steps = static_cast<int>(random() % 3);
      requests.push_back(request);
      if (i % 2 == 0) requests.push_back(request);  // twice the same
    }
    const auto results = score_all(*backend, requests);
    for (std::size_t i = 0; i < requests.size(); ++i) {
      std::vector<int> tokens = tokenizer.encode(requests[i].context + requests[i].continuation);
      tokens.insert(tokens.begin(), 0);
      const auto count = static_cast<std::size_t>(results[i].continuation_tokens);
      EXPECT_EQ(count, requests[i].continuation.size());  // one token a letter
      EXPECT_EQ(results[i].context_tokens + results[i].continuation_tokens,
                static_cast<int>(tokens.size()));
      const auto [expected, greedy] =
          expected_score(tokens, count, requests[i].mode, requests[i].feedback_steps);
      EXPECT_NEAR(results[i].log_likelihood, expected, 1e-6);
      EXPECT_EQ(results[i].is_greedy, greedy);
    }
    EXPECT_LT(backend->counters().prompt_tokens_computed, backend->counters().prompt_tokens_asked);
  }
}

TEST_P(BackendOfEngine, ScoreKeepsTheNewestTokens) {
  make(3, true, 16);
  const auto backend = make_torch_backend(options());
  std::mt19937 random(1);
  const std::string context = testing::random_letters(random, 40);
  const auto results = score_all(*backend, {{context, " ab", Mode::kStandard, 0}});
  EXPECT_EQ(results[0].continuation_tokens, 3);
  EXPECT_EQ(results[0].context_tokens, 14);  // 16 inputs and the last, only predicted, token
  EXPECT_EQ(results[0].cut_tokens, 41 - 14);
  std::vector<int> tokens = Tokenizer::load(folder()).encode(context + " ab");
  tokens.erase(tokens.begin(), tokens.end() - 17);
  EXPECT_NEAR(results[0].log_likelihood, expected_score(tokens, 3, Mode::kStandard, 0).first, 1e-6);
  EXPECT_THROW(score_all(*backend, {{context, testing::random_letters(random, 17), {}, 0}}),
               InputError);
}

// A sample's tokens depend on nothing but its request: not on the batch, the
// order, the memory, or what else was asked.
TEST_P(BackendOfEngine, CompletionsDoNotDependOnTheirNeighbours) {
  std::mt19937 random(5);
  const auto requests = mixed_requests(random, 70);
  const auto expected = generate_all(*make_torch_backend(options()), requests);

  TorchBackendOptions one_by_one = options();
  one_by_one.batch_rows = 1;
  one_by_one.batch_tokens = 3;
  TorchBackendOptions little_memory = options();
  little_memory.cache_gb =
      static_cast<double>(4 * KvPool(config(), at::kDouble, 0).tail_bytes(64)) / 1e9;
  little_memory.batch_tokens = 16;
  TorchBackendOptions invariant = LetterModel::options();
  invariant.batch_invariant = true;
  for (const TorchBackendOptions& other : {one_by_one, little_memory, invariant}) {
    const auto again = generate_all(*make_torch_backend(other), requests);
    for (std::size_t i = 0; i < requests.size(); ++i) expect_equal(again[i], expected[i]);
  }
  // In another order, and half of them only.
  std::vector<std::size_t> order(requests.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::shuffle(order.begin(), order.end(), random);
  order.resize(order.size() / 2);
  std::vector<GenerateRequest> some;
  for (const std::size_t i : order) some.push_back(requests[i]);
  const auto again = generate_all(*make_torch_backend(options()), some);
  for (std::size_t i = 0; i < order.size(); ++i) expect_equal(again[i], expected[order[i]]);
}

TEST(Backend, BatchInvariantResultsAreEqualBitForBit) {
  const testing::LetterModel letters;
  std::mt19937 random(6);
  for (const Dtype dtype : {Dtype::kFloat32, Dtype::kFloat32Fast, Dtype::kBfloat16}) {
    const auto requests = mixed_requests(random, 64);
    TorchBackendOptions wide = letters.options();
    wide.dtype = dtype;
    wide.batch_invariant = true;
    TorchBackendOptions narrow = wide;
    narrow.batch_rows = 1;
    narrow.batch_tokens = 5;
    const auto a = generate_all(*make_torch_backend(wide), requests);
    const auto b = generate_all(*make_torch_backend(narrow), requests);
    for (std::size_t i = 0; i < requests.size(); ++i) {
      EXPECT_EQ(a[i].tokens, b[i].tokens);
      EXPECT_EQ(a[i].log_likelihood, b[i].log_likelihood);  // every bit
    }
  }
}

TEST_P(BackendOfEngine, InvariantsOfTheModes) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    make(seed, true);
    const auto backend = make_torch_backend(options());
    GenerateRequest request;
    std::mt19937 random(static_cast<unsigned>(seed));
    request.prompt = testing::random_letters(random, 9);
    request.max_new_tokens = 12;
    std::vector<GenerateRequest> requests(4, request);
    requests[1].mode = Mode::kSoft;
    requests[2].mode = Mode::kFused;
    requests[2].feedback_steps = 0;
    requests[3].mode = Mode::kFused;
    const auto completions = generate_all(*backend, requests);
    // Soft and standard share the first logits; fused without steps is soft.
    EXPECT_EQ(completions[0].tokens.front(), completions[1].tokens.front());
    expect_equal(completions[1], completions[2]);
  }
}

TEST_P(BackendOfEngine, SamplesFollowTheDistribution) {
  // 4,000 first tokens at temperature 0.7 against the softmax of the formulas.
  const auto backend = make_torch_backend(options());
  const std::string prompt = "abc";
  constexpr int kSamples = 4000;
  std::vector<GenerateRequest> requests(kSamples);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    requests[i].prompt = prompt;
    requests[i].temperature = 0.7;
    requests[i].max_new_tokens = 1;
    requests[i].random_key = i;
  }
  std::map<int, int> counts;
  for (const Completion& completion : generate_all(*backend, requests)) {
    ++counts[completion.tokens.front()];
  }
  std::vector<int> tokens = Tokenizer::load(folder()).encode(prompt);
  tokens.insert(tokens.begin(), 0);
  const Transformer model = reference();
  const at::Tensor p =
      (model.logits(model.states(testing::token_row(tokens), 0)[0][-1]) / 0.7).softmax(-1);
  for (std::int64_t token = 0; token < config().vocab_size; ++token) {
    const double expected = kSamples * p[token].item<double>();
    EXPECT_NEAR(counts[static_cast<int>(token)], expected, 5 * std::sqrt(expected) + 3) << token;
  }
  EXPECT_LT(backend->counters().prompt_tokens_computed, 10u);
}

TEST_P(BackendOfEngine, StopStringsStopTokensAndLimits) {
  const auto backend = make_torch_backend(options());
  GenerateRequest request;
  request.prompt = "some words";
  request.temperature = 2;
  request.max_new_tokens = 40;
  bool crossed = false;
  for (std::uint64_t key = 0; key < 40; ++key) {
    request.random_key = key;
    request.stop.clear();
    const Completion whole = generate_all(*backend, {request})[0];
    if (whole.stop_reason == StopReason::kStopToken) {
      EXPECT_EQ(whole.tokens.back(), 1);
      EXPECT_EQ(whole.trace_tokens, static_cast<int>(whole.tokens.size()) - 1);
    } else {
      EXPECT_EQ(whole.stop_reason, StopReason::kLength);
      EXPECT_EQ(whole.tokens.size(), 40u);
    }
    if (whole.text.size() < 12) continue;
    // Two letters from the middle stand in two tokens.
    request.stop = {"never to be seen", whole.text.substr(7, 2)};
    const Completion cut = generate_all(*backend, {request})[0];
    EXPECT_EQ(cut.stop_reason, StopReason::kStopString);
    EXPECT_EQ(cut.text, whole.text.substr(0, whole.text.find(request.stop[1])));
    const auto trace = static_cast<std::size_t>(cut.trace_tokens);
    EXPECT_EQ(
        Tokenizer::load(folder()).decode(std::span(cut.tokens).first(trace), /*skip_special=*/true),
        cut.text);
    ASSERT_EQ(cut.text_ends.size(), cut.tokens.size());
    EXPECT_EQ(cut.text_ends[trace - 1], cut.text.size());
    EXPECT_EQ(whole.text_ends.back(), whole.text.size());
    EXPECT_TRUE(std::equal(cut.tokens.begin(), cut.tokens.end(), whole.tokens.begin()));
    crossed = true;
  }
  EXPECT_TRUE(crossed);
}

TEST_P(BackendOfEngine, ContextOverflowKeepsTheNewestAndIsCounted) {
  make(4, true, 16);
  const auto backend = make_torch_backend(options());
  GenerateRequest request;
  std::mt19937 random(2);
  request.prompt = testing::random_letters(random, 30);
  request.max_new_tokens = 6;
  const Completion completion = generate_all(*backend, {request})[0];
  EXPECT_EQ(completion.prompt_tokens, 10);
  EXPECT_EQ(completion.cut_tokens, 31 - 10);
  request.max_new_tokens = 100;
  const Completion full = generate_all(*backend, {request})[0];
  EXPECT_EQ(full.prompt_tokens, 1);
  if (full.stop_reason != StopReason::kStopToken) {
    EXPECT_EQ(full.stop_reason, StopReason::kContext);
    EXPECT_EQ(full.tokens.size(), 15u);
  }
}

TEST_P(BackendOfEngine, AStoppedSinkEndsTheWork) {
  const auto backend = make_torch_backend(options());
  std::mt19937 random(5);
  int results = 0;
  backend->generate(mixed_requests(random, 50),
                    [&](std::size_t, Completion&&) { return ++results < 3; });
  EXPECT_EQ(results, 3);
}

TEST_P(BackendOfEngine, RefusesFeedbackModesWithoutFeedbackWeights) {
  make(2, false);
  const auto backend = make_torch_backend(options());
  EXPECT_FALSE(backend->has_feedback());
  GenerateRequest request;
  request.prompt = "a";
  for (const Mode mode : {Mode::kSoft, Mode::kFused}) {
    request.mode = mode;
    try {
      generate_all(*backend, {request});
      ADD_FAILURE() << "mode " << mode_name(mode) << " ran";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("has no feedback weights"));
    }
  }
  request.mode = Mode::kStandard;
  EXPECT_NO_THROW(generate_all(*backend, {request}));
}

TEST_P(BackendOfEngine, NamesWhatIsWrongWithOptionsAndRequests) {
  TorchBackendOptions bad_device = options();
  bad_device.device = "tpu";
  EXPECT_THROW(make_torch_backend(bad_device), InputError);
  TorchBackendOptions no_batch = options();
  no_batch.batch_tokens = 0;
  EXPECT_THROW(make_torch_backend(no_batch), InputError);
  EXPECT_THROW(parse_dtype("int8"), InputError);

  const auto backend = make_torch_backend(options());
  GenerateRequest request;
  request.prompt_tokens = {0, 1000};
  EXPECT_THROW(generate_all(*backend, {request}), InputError);
  request.prompt_tokens = {0};
  request.max_new_tokens = 0;
  EXPECT_THROW(generate_all(*backend, {request}), InputError);
}

TEST(Backend, RandomCheckpointsNeedNoFolder) {
  const testing::TemporaryFolder folder;
  std::mt19937 random(1);
  write_file_atomically(folder.path() / "c.json",
                        model_config_text(testing::random_config(random)));
  TorchBackendOptions options;
  options.checkpoint = "random:" + (folder.path() / "c.json").string();
  options.cache_gb = 0.1;
  GenerateRequest request;
  request.prompt_tokens = {0, 3, 4};
  request.max_new_tokens = 8;
  const auto first = generate_all(*make_torch_backend(options), {request});
  const auto again = generate_all(*make_torch_backend(options), {request});
  EXPECT_EQ(first[0].tokens, again[0].tokens);
  EXPECT_TRUE(first[0].text.empty());
  request.prompt_tokens.clear();
  request.prompt = "text";
  EXPECT_THROW(generate_all(*make_torch_backend(options), {request}), InputError);
}

}  // namespace
}  // namespace fbt
