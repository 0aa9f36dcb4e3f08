// The same seed gives the same tokens whatever the batch, the order, the shard,
// the point of resumption or the cache.

#include <algorithm>
#include <numeric>
#include <utility>

#include <gtest/gtest.h>

#include "harness/decode/kv_cache.h"
#include "harness/tokenizer/tokenizer.h"
#include "tests/harness/decode/letter_model.h"

namespace fbt {
namespace {

using Requests = std::vector<GenerateRequest>;

std::vector<Completion> answers_of(Backend& backend, const Requests& requests) {
  return testing::generate_all(backend, requests);
}

std::vector<ScoreResult> answers_of(Backend& backend, const std::vector<ScoreRequest>& requests) {
  return testing::score_all(backend, requests);
}

template <typename Request>
using Answers =
    decltype(answers_of(std::declval<Backend&>(), std::declval<std::vector<Request>>()));

class Determinism : public ::testing::Test, public testing::LetterModel {
 protected:
  TorchBackendOptions small_cache(TorchBackendOptions options) const {
    const KvPool pool(config(), at::kDouble, 0);
    options.cache_gb = static_cast<double>(4 * pool.tail_bytes(64)) / 1e9;
    return options;
  }

  // Asks for the requests that are named, call by call; the rest of the result
  // stays empty.
  template <typename Request>
  static Answers<Request> ask(const TorchBackendOptions& options,
                              const std::vector<Request>& requests,
                              const std::vector<std::vector<std::size_t>>& calls) {
    const auto backend = make_torch_backend(options);
    Answers<Request> answers(requests.size());
    for (const std::vector<std::size_t>& call : calls) {
      std::vector<Request> some;
      for (const std::size_t i : call) some.push_back(requests[i]);
      Answers<Request> given = answers_of(*backend, some);
      for (std::size_t i = 0; i < call.size(); ++i) answers[call[i]] = std::move(given[i]);
    }
    return answers;
  }

  // All the ways in which the same requests can come.
  template <typename Request>
  std::vector<std::pair<std::string, Answers<Request>>> in_every_way(
      const TorchBackendOptions& base, const std::vector<Request>& requests,
      std::mt19937& random) const {
    std::vector<std::size_t> all(requests.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    std::vector<std::size_t> shuffled = all;
    std::shuffle(shuffled.begin(), shuffled.end(), random);
    std::vector<std::vector<std::size_t>> shards(3);
    for (const std::size_t i : all) shards[i % 3].push_back(i);
    std::vector<std::vector<std::size_t>> resumed(2);
    for (const std::size_t i : all) resumed[i < all.size() / 3 ? 0 : 1].push_back(i);
    TorchBackendOptions one_by_one = base;
    one_by_one.batch_rows = 1;
    one_by_one.batch_tokens = 5;
    TorchBackendOptions whole = base;
    whole.batch_rows = 64;
    std::vector<std::pair<std::string, Answers<Request>>> ways;
    ways.emplace_back("batches of 64", ask(whole, requests, {all}));
    ways.emplace_back("one by one", ask(one_by_one, requests, {all}));
    ways.emplace_back("shuffled", ask(base, requests, {shuffled}));
    ways.emplace_back("resumed", ask(base, requests, resumed));
    ways.emplace_back("small cache", ask(small_cache(base), requests, {shuffled}));
    Answers<Request> joined(requests.size());
    for (const auto& shard : shards) {  // each on a machine of its own
      Answers<Request> part = ask(base, requests, {shard});
      for (const std::size_t i : shard) joined[i] = std::move(part[i]);
    }
    ways.emplace_back("sharded", std::move(joined));
    return ways;
  }

  // How far the second most likely token is from the most likely one, after a
  // completion's first `count` tokens, by the formulas.
  double top_two_gap(const GenerateRequest& request, std::vector<int> generated,
                     std::size_t count) const {
    std::vector<int> tokens = Tokenizer::load(folder()).encode(request.prompt);
    tokens.insert(tokens.begin(), 0);
    const auto prompt = static_cast<std::int64_t>(tokens.size());
    generated.resize(count);
    tokens.insert(tokens.end(), generated.begin(), generated.end());
    const bool fused = request.mode != Mode::kStandard;
    const int passes = fused ? static_cast<int>(count) : 0;
    const Transformer model = reference();
    const at::Tensor states =
        model.states(testing::token_row(tokens), passes, fused ? prompt : 0)[0];
    const at::Tensor top = std::get<0>(model.logits(states[-1]).topk(2));
    return (top[0] - top[1]).item<double>();
  }
};

TEST_F(Determinism, BatchInvariantCompletionsAreEqualBitForBit) {
  std::mt19937 random(21);
  for (const Dtype dtype : {Dtype::kFloat32, Dtype::kFloat32Fast, Dtype::kBfloat16}) {
    make(random() % 100, true);
    TorchBackendOptions invariant = options();
    invariant.dtype = dtype;
    invariant.batch_invariant = true;
    const Requests requests = testing::mixed_requests(random, 64);
    const auto ways = in_every_way(invariant, requests, random);
    for (const auto& [name, completions] : ways) {
      SCOPED_TRACE(name + ", " + std::string(dtype_name(dtype)));
      for (std::size_t i = 0; i < requests.size(); ++i) {
        EXPECT_EQ(completions[i].tokens, ways[0].second[i].tokens);
        EXPECT_EQ(completions[i].text, ways[0].second[i].text);
        EXPECT_EQ(completions[i].log_likelihood, ways[0].second[i].log_likelihood);  // every bit
      }
    }
  }
}

TEST_F(Determinism, BatchInvariantScoresAreEqualBitForBit) {
  std::mt19937 random(24);
  for (const Dtype dtype : {Dtype::kFloat32, Dtype::kFloat32Fast, Dtype::kBfloat16}) {
    make(random() % 100, true);
    TorchBackendOptions invariant = options();
    invariant.dtype = dtype;
    invariant.batch_invariant = true;
    const auto requests = testing::mixed_scores(random, 12);
    const auto ways = in_every_way(invariant, requests, random);
    for (const auto& [name, scores] : ways) {
      SCOPED_TRACE(name + ", " + std::string(dtype_name(dtype)));
      for (std::size_t i = 0; i < requests.size(); ++i) {
        EXPECT_EQ(scores[i].log_likelihood, ways[0].second[i].log_likelihood);  // every bit
        EXPECT_EQ(scores[i].is_greedy, ways[0].second[i].is_greedy);
      }
    }
  }
}

TEST_F(Determinism, ReferenceTokensAreEqualWithoutBatchInvariance) {
  std::mt19937 random(22);
  for (int round = 0; round < 3; ++round) {
    make(random() % 100, true);
    const Requests requests = testing::mixed_requests(random, 64);
    const auto ways = in_every_way(options(), requests, random);
    for (const auto& [name, completions] : ways) {
      SCOPED_TRACE(name);
      for (std::size_t i = 0; i < requests.size(); ++i) {
        testing::expect_equal(completions[i], ways[0].second[i]);
      }
    }
  }
}

// In bfloat16 a greedy token may differ only where the two most likely ones are
// closer than rounding.
TEST_F(Determinism, GreedyTokensDifferOnlyWhereTheTopTwoAreClose) {
  constexpr double kRounding = 0.1;  // of logits, in 8 bits through the layers
  std::mt19937 random(23);
  for (int round = 0; round < 3; ++round) {
    make(random() % 100, true);
    TorchBackendOptions fast = options();
    fast.dtype = Dtype::kBfloat16;
    Requests requests = testing::mixed_requests(random, 64);
    for (GenerateRequest& request : requests) {
      request.temperature = 0;
      request.stop.clear();
      if (request.mode == Mode::kFused) request.mode = Mode::kSoft;
    }
    const auto ways = in_every_way(fast, requests, random);
    for (const auto& [name, completions] : ways) {
      for (std::size_t i = 0; i < requests.size(); ++i) {
        const auto& expected = ways[0].second[i].tokens;
        const auto differ =
            std::mismatch(completions[i].tokens.begin(), completions[i].tokens.end(),
                          expected.begin(), expected.end());
        if (differ.first == completions[i].tokens.end()) continue;
        const auto count = static_cast<std::size_t>(differ.first - completions[i].tokens.begin());
        EXPECT_LT(top_two_gap(requests[i], completions[i].tokens, count), kRounding) << name;
      }
    }
  }
}

}  // namespace
}  // namespace fbt
