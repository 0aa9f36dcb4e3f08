// The engine on fbt-1b in bfloat16 with random weights, held against the bare
// matrix products of its layers, measured in the same run: the counter `ratio`
// is the products' time over the engine's (1 would be nothing but products), and of
// prefill `ratio_of_best` that of the best of each: a busy host slows single runs of
// either down.
// Needs about 4 GB; loading takes half a minute.

#include <algorithm>
#include <chrono>
#include <memory>
#include <numeric>
#include <vector>

#include <ATen/ATen.h>
#include <benchmark/benchmark.h>
#include <c10/core/GradMode.h>

#include "harness/decode/cpu_model.h"
#include "harness/decode/decoder.h"
#include "harness/decode/engine_setup.h"
#include "harness/decode/prefill.h"
#include "harness/model/checkpoint.h"
#include "harness/model/tensor_list.h"

namespace {

using namespace fbt;

const CpuModel& model() {
  static const CpuModel instance = [] {
    set_up_engine({});  // all cores
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

// Elements of the model's tensors that `counts` says yes to.
template <typename Counts>
double elements(const Counts& counts) {
  double sum = 0;
  for (const TensorSpec& spec : tensor_list(model().config())) {
    if (!counts(spec)) continue;
    double size = 1;
    for (const std::int64_t extent : spec.shape) size *= static_cast<double>(extent);
    sum += size;
  }
  return sum;
}

// Multiplications of the layers' products for one token.
double layer_weights() {
  return elements([](const TensorSpec& spec) {
    return spec.shape.size() == 2 && spec.name.starts_with("model.layers");
  });
}

// Bytes of the weights that a decoding step reads: all but the embedding, which is
// read as the head's weight.
double weight_bytes() {
  return 2 * elements([](const TensorSpec&) { return true; });
}

constexpr std::int64_t kPoolBytes = std::int64_t{8} << 30;
constexpr std::int64_t kBatchTokens = 2048;

void prefill(benchmark::State& state) {
  const c10::NoGradGuard no_grad;
  const PrefixTree tree(sequences(state.range(0), state.range(1)));
  KvPool pool(model().config(), model().compute_type(), kPoolBytes);
  Profile profile;
  std::vector<double> products;
  std::vector<double> engine;
  model().products_only(static_cast<std::int64_t>(tree.planned()));  // prepares them
  for (auto _ : state) {
    Prefill::Plan plan;
    plan.computed = [](const ComputedPass&) {};
    plan.ready = [](int, const std::shared_ptr<const PrefixState>&) {};
    Prefill work(model(), pool, tree, std::move(plan), profile);
    engine.push_back(seconds([&] {
      while (!work.done()) work.step(kBatchTokens);
    }));
    state.PauseTiming();
    products.push_back(
        seconds([&] { model().products_only(static_cast<std::int64_t>(tree.planned())); }));
    state.ResumeTiming();
  }
  const double engine_seconds = std::accumulate(engine.begin(), engine.end(), 0.0);
  state.counters["ratio"] = std::accumulate(products.begin(), products.end(), 0.0) / engine_seconds;
  state.counters["ratio_of_best"] = *std::min_element(products.begin(), products.end()) /
                                    *std::min_element(engine.begin(), engine.end());
  state.counters["attention_share"] = profile.seconds(EngineStage::kAttention) / engine_seconds;
  state.counters["tokens_per_second"] = static_cast<double>(tree.planned()) *
                                        static_cast<double>(state.iterations()) / engine_seconds;
  // 1e9 floating-point operations a second: what the machine's products reach.
  state.counters["products_gflops"] = 2e-9 * static_cast<double>(tree.planned()) * layer_weights() /
                                      *std::min_element(products.begin(), products.end());
}
BENCHMARK(prefill)
    ->Name("engine/prefill")
    ->Args({8, 256})
    ->Args({1, 2048})
    ->Iterations(3)
    ->Unit(benchmark::kMillisecond);

constexpr std::int64_t kEndless = std::int64_t{1} << 40;

class EndlessRow : public RowClient {
 public:
  TokenChoice next_choice(std::int64_t) override { return {}; }
  bool accept(const ChosenToken&) override { return true; }
};

// 32 rows over contexts of 512 tokens, a standard step and a soft one in turn.
// `bound`: the ratio that reading the keys and values once as fast as the products
// read their weights would leave; a step of few rows does little else than read.
void decode(benchmark::State& state) {
  const c10::NoGradGuard no_grad;
  constexpr std::int64_t kRows = 32;
  constexpr std::int64_t kContext = 512;
  const PrefixTree tree(sequences(kRows, kContext));
  KvPool pool(model().config(), model().compute_type(), kPoolBytes);
  Profile prefill_profile;
  Profile profile;  // of the standard steps
  Profile soft_profile;
  Decoder standard(model(), profile);
  Decoder soft(model(), soft_profile);
  Prefill::Plan plan;
  plan.computed = [](const ComputedPass&) {};
  plan.ready = [&](int, const std::shared_ptr<const PrefixState>& prefix) {
    standard.add(prefix, 0, false, kEndless, 0, std::make_unique<EndlessRow>());
    soft.add(prefix, 0, true, kEndless, 0, std::make_unique<EndlessRow>());
  };
  Prefill work(model(), pool, tree, std::move(plan), prefill_profile);
  while (!work.done()) work.step(kBatchTokens);
  const at::Tensor states = at::zeros({kRows, model().config().hidden_size}, at::kBFloat16);
  const auto bare_products = [&] {
    model().products_only(kRows);
    benchmark::DoNotOptimize(model().logits(states));
  };
  standard.step();
  soft.step();
  bare_products();
  const double attention_before = profile.seconds(EngineStage::kAttention);
  const double sampling_before = profile.seconds(EngineStage::kSample);
  double products = 0;
  double engine = 0;
  double soft_engine = 0;
  for (auto _ : state) {
    engine += seconds([&] { standard.step(); });
    products += seconds(bare_products);
    soft_engine += seconds([&] { soft.step(); });
  }
  state.counters["ratio"] = products / engine;
  state.counters["soft_over_standard"] = soft_engine / engine;
  state.counters["attention_share"] =
      (profile.seconds(EngineStage::kAttention) - attention_before) / engine;
  state.counters["sampling_share"] =
      (profile.seconds(EngineStage::kSample) - sampling_before) / engine;
  const double cache_bytes = static_cast<double>(
      kRows * kContext *
      (pool.bytes_per_position(LayerKind::kFull) + pool.bytes_per_position(LayerKind::kSliding)));
  state.counters["bound"] = weight_bytes() / (weight_bytes() + cache_bytes);
  state.counters["tokens_per_second"] =
      benchmark::Counter(static_cast<double>(kRows * state.iterations()) / engine);
}
BENCHMARK(decode)->Name("engine/decode")->Iterations(8)->Unit(benchmark::kMillisecond);

}  // namespace
