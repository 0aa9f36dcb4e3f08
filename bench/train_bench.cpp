// A training step of one plain pass, held against the bare products with its
// weights forward (x W) and backward (the slopes of x and of W), measured in the
// same run: the counter `ratio` is the products' time over the step's.
// Attention's own products and the optimiser's are not among them.

#include <chrono>
#include <string>
#include <vector>

#include <ATen/ATen.h>
#include <benchmark/benchmark.h>

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

// The products of one micro batch with every matrix of the model.
void products(const NamedTensors& parameters, std::int64_t tokens, at::ScalarType dtype) {
  for (const auto& [name, parameter] : parameters) {
    if (parameter.dim() != 2 || name.starts_with("model.feedback")) continue;
    const at::Tensor weight = parameter.detach().to(dtype);
    // Zeros: the time of a product does not depend on the values.
    const at::Tensor x = at::zeros({tokens, weight.size(1)}, weight.options());
    const at::Tensor slope = at::zeros({tokens, weight.size(0)}, weight.options());
    benchmark::DoNotOptimize(x.mm(weight.t()));
    benchmark::DoNotOptimize(slope.mm(weight));
    benchmark::DoNotOptimize(slope.t().mm(x));
  }
}

void step(benchmark::State& state) {
  const train::Recipe setup = recipe(state.range(0), state.range(1) == 1);
  train::Trainer trainer(setup, rows(setup));
  trainer.step();
  const at::ScalarType dtype = setup.bfloat16 ? at::kBFloat16 : at::kFloat;
  double bare = 0, whole = 0;
  for (auto _ : state) {
    whole += seconds([&] { trainer.step(); });
    state.PauseTiming();
    bare += seconds([&] {
      for (std::int64_t done = 0; done < setup.batch_tokens; done += setup.micro_batch_tokens) {
        products(trainer.parameters(), setup.micro_batch_tokens, dtype);
      }
    });
    state.ResumeTiming();
  }
  state.counters["ratio"] = bare / whole;
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
