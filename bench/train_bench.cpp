// A training step of one plain pass, held against the bare matrix products of its
// forward and backward passes, measured in the same run. The counters are the
// products' time over the step's: `weights` counts those with the weights (x W, and
// the slopes of x and of W), `ratio` attention's own as well. The optimiser's
// products are in neither.

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <benchmark/benchmark.h>

#include "harness/model/cpu_bfloat16.h"
#include "harness/train/memory.h"
#include "harness/train/trainer.h"

namespace {

using namespace fbt;

constexpr std::int64_t kBatchTokens = 8192;

train::Recipe recipe(std::int64_t hidden, bool bfloat16) {
  train::Recipe recipe;
  recipe.config.vocab_size = 1536;
  recipe.config.hidden_size = hidden;
  recipe.config.intermediate_size = 4 * hidden;
  recipe.config.num_hidden_layers = 4;
  recipe.config.num_attention_heads = hidden / 64;
  recipe.config.num_key_value_heads = hidden / 128;
  recipe.config.head_dim = 64;
  recipe.config.max_position_embeddings = 1024;
  recipe.config.sliding_window = 128;
  recipe.config.full_attention_interval = 2;
  recipe.config.residual_multiplier = 0.35;
  recipe.config.latent_feedback = true;
  recipe.config.bos_token_id = 0;
  recipe.pass_shares = {1};
  recipe.tokens = kBatchTokens * 1000;
  recipe.batch_tokens = kBatchTokens;
  recipe.bfloat16 = bfloat16;
  return recipe;
}

// Rows of numbers that do not repeat soon.
train::PackedRows rows(const train::Recipe& recipe) {
  return {[](std::uint64_t index) { return std::to_string(index); },
          [](const std::string& text) {
            std::vector<int> ids;
            const int start = std::stoi(text);
            for (int i = 0; i < 200; ++i) ids.push_back(1 + (start * 311 + i * i) % 1500);
            return ids;
          },
          0, recipe.row_tokens};
}

template <typename Work>
double seconds(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

using Products = std::vector<std::pair<at::Tensor, at::Tensor>>;

void multiply(const Products& products) {
  for (const auto& [a, b] : products) benchmark::DoNotOptimize(a.matmul(b));
}

// One micro batch with every matrix of the model. Operands are zeros: the time of
// a product does not depend on the values.
Products weight_products(const NamedTensors& parameters, std::int64_t tokens,
                         at::ScalarType dtype) {
  Products products;
  for (const auto& [name, parameter] : parameters) {
    if (parameter.dim() != 2 || name.starts_with("model.feedback")) continue;
    const at::Tensor weight = parameter.detach().to(dtype);
    const at::Tensor x = at::zeros({tokens, weight.size(1)}, dtype);
    const at::Tensor slope = at::zeros({tokens, weight.size(0)}, dtype);
    products.emplace_back(x, weight.t());
    products.emplace_back(slope, weight);
    products.emplace_back(slope.t(), x);
  }
  return products;
}

// One micro batch through all layers' attention: queries in blocks, with the keys
// that some query of the block can see.
Products attention_products(const train::Recipe& recipe, at::ScalarType dtype) {
  constexpr std::int64_t kQueries = 128;
  const ModelConfig& config = recipe.config;
  const std::int64_t length = recipe.row_tokens;
  const std::int64_t groups = recipe.rows_per_micro_batch() * config.num_key_value_heads;
  const std::int64_t share = config.num_attention_heads / config.num_key_value_heads;
  Products products;
  for (std::int64_t layer = 0; layer < config.num_hidden_layers; ++layer) {
    const std::int64_t window = config.is_full_attention(layer) ? length : config.sliding_window;
    for (std::int64_t start = 0; start < length; start += kQueries) {
      const std::int64_t keys = start + kQueries - std::max<std::int64_t>(0, start - window + 1);
      const at::Tensor query = at::zeros({groups, share * kQueries, config.head_dim}, dtype);
      const at::Tensor key = at::zeros({groups, keys, config.head_dim}, dtype);
      const at::Tensor scores = at::zeros({groups, share * kQueries, keys}, dtype);
      // Forward: scores, and their means of the values (shaped like keys).
      products.emplace_back(query, key.transpose(1, 2));
      products.emplace_back(scores, key);
      // Backward: the slopes of values and weights, of queries and keys.
      products.emplace_back(scores.transpose(1, 2), query);
      products.emplace_back(query, key.transpose(1, 2));
      products.emplace_back(scores, key);
      products.emplace_back(scores.transpose(1, 2), query);
    }
  }
  return products;
}

void step(benchmark::State& state) {
  if (state.range(1) == 1 && !cpu_multiplies_bfloat16()) {
    state.SkipWithError("this CPU has no products in bfloat16; one step would take minutes");
    return;
  }
  train::keep_freed_memory();
  const train::Recipe setup = recipe(state.range(0), state.range(1) == 1);
  train::Trainer trainer(setup, rows(setup));
  trainer.step();
  const at::ScalarType dtype = setup.bfloat16 ? at::kBFloat16 : at::kFloat;
  const std::int64_t micro_batches = setup.batch_tokens / setup.micro_batch_tokens;
  const Products weights = weight_products(trainer.parameters(), setup.micro_batch_tokens, dtype);
  const Products attention = attention_products(setup, dtype);
  double with_weights = 0, in_attention = 0, whole = 0;
  for (auto _ : state) {
    whole += seconds([&] { trainer.step(); });
    state.PauseTiming();
    for (std::int64_t i = 0; i < micro_batches; ++i) {
      with_weights += seconds([&] { multiply(weights); });
      in_attention += seconds([&] { multiply(attention); });
    }
    state.ResumeTiming();
  }
  state.counters["weights"] = with_weights / whole;
  state.counters["ratio"] = (with_weights + in_attention) / whole;
  state.counters["tokens_per_second"] =
      static_cast<double>(setup.batch_tokens) * static_cast<double>(state.iterations()) / whole;
}
BENCHMARK(step)
    ->Name("train/step")
    ->ArgNames({"D", "bfloat16"})
    ->Args({256, 0})
    ->Args({256, 1})
    ->Args({512, 0})
    ->Args({512, 1})
    ->Unit(benchmark::kMillisecond);

}  // namespace
