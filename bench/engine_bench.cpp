// The engine on fbt-1b in bfloat16 with random weights, held against the bare
// matrix products of its layers, measured in the same run: the counter `ratio`
// is the products' time over the engine's (1 would be nothing but products).
// Needs about 4 GB; loading takes half a minute.

#include <chrono>
#include <memory>
#include <vector>

#include <ATen/ATen.h>
#include <benchmark/benchmark.h>
#include <c10/core/GradMode.h>

#include "harness/decode/cpu_model.h"
#include "harness/decode/decoder.h"
#include "harness/decode/prefill.h"
#include "harness/model/checkpoint.h"

namespace {

using namespace fbt;

const CpuModel& model() {
  static const CpuModel instance = [] {
    const std::string config = std::string(FBT_SOURCE_DIR) + "/configs/fbt-1b.json";
    const Checkpoint checkpoint = open_checkpoint("random:" + config);
    return CpuModel(checkpoint.config, *open_weights(checkpoint), at::kBFloat16, false);
  }();
  return instance;
}

template <typename Work>
double seconds(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Sequences that share nothing.
std::vector<TreeSequence> sequences(std::int64_t count, std::int64_t length) {
  std::vector<TreeSequence> result;
  for (std::int64_t s = 0; s < count; ++s) {
    std::vector<int> tokens(static_cast<std::size_t>(length));
    for (std::size_t t = 0; t < tokens.size(); ++t) {
      tokens[t] = static_cast<int>((static_cast<std::size_t>(s) + 31 * t) % 100000);
    }
    result.push_back({std::move(tokens), 1});
  }
  return result;
}

constexpr std::int64_t kPoolBytes = std::int64_t{8} << 30;
constexpr std::int64_t kBatchTokens = 2048;

void prefill(benchmark::State& state) {
  const c10::NoGradGuard no_grad;
  const PrefixTree tree(sequences(state.range(0), state.range(1)));
  KvPool pool(model().config(), model().compute_type(), kPoolBytes);
  Profile profile;
  double products = 0;
  double engine = 0;
  for (auto _ : state) {
    Prefill::Plan plan;
    plan.computed = [](const ComputedPass&) {};
    plan.ready = [](int, const std::shared_ptr<const PrefixState>&) {};
    Prefill work(model(), pool, tree, std::move(plan), profile);
    engine += seconds([&] {
      while (!work.done()) work.step(kBatchTokens);
    });
    state.PauseTiming();
    products += seconds([&] { model().products_only(static_cast<std::int64_t>(tree.planned())); });
    state.ResumeTiming();
  }
  state.counters["ratio"] = products / engine;
  state.counters["attention_share"] = profile.seconds(EngineStage::kAttention) / engine;
  state.counters["tokens_per_second"] = benchmark::Counter(
      static_cast<double>(tree.planned()) * static_cast<double>(state.iterations()) / engine);
}
BENCHMARK(prefill)
    ->Name("engine/prefill")
    ->Args({8, 256})
    ->Args({1, 2048})
    ->Unit(benchmark::kMillisecond);

constexpr std::int64_t kEndless = std::int64_t{1} << 40;

class EndlessRow : public RowClient {
 public:
  TokenChoice next_choice(std::int64_t) override { return {}; }
  bool accept(const ChosenToken&) override { return true; }
};

// 32 rows over contexts of 512 tokens; argument 1: soft, 0: standard.
void decode(benchmark::State& state) {
  const c10::NoGradGuard no_grad;
  constexpr std::int64_t kRows = 32;
  const PrefixTree tree(sequences(kRows, 512));
  KvPool pool(model().config(), model().compute_type(), kPoolBytes);
  Profile profile;
  Decoder decoder(model(), profile);
  Prefill::Plan plan;
  plan.computed = [](const ComputedPass&) {};
  plan.ready = [&](int, const std::shared_ptr<const PrefixState>& prefix) {
    decoder.add(prefix, 0, state.range(0) == 1, kEndless, 0, std::make_unique<EndlessRow>());
  };
  Prefill work(model(), pool, tree, std::move(plan), profile);
  while (!work.done()) work.step(kBatchTokens);
  decoder.step();
  const at::Tensor states = at::zeros({kRows, model().config().hidden_size}, at::kBFloat16);
  double products = 0;
  double engine = 0;
  const double attention_before = profile.seconds(EngineStage::kAttention);
  for (auto _ : state) {
    engine += seconds([&] { decoder.step(); });
    state.PauseTiming();
    products += seconds([&] {
      model().products_only(kRows);
      benchmark::DoNotOptimize(model().logits(states));
    });
    state.ResumeTiming();
  }
  state.counters["ratio"] = products / engine;
  state.counters["attention_share"] =
      (profile.seconds(EngineStage::kAttention) - attention_before) / engine;
  state.counters["tokens_per_second"] =
      benchmark::Counter(static_cast<double>(kRows * state.iterations()) / engine);
}
BENCHMARK(decode)
    ->Name("engine/decode_standard")
    ->Arg(0)
    ->Iterations(8)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(decode)->Name("engine/decode_soft")->Arg(1)->Iterations(8)->Unit(benchmark::kMillisecond);

}  // namespace
