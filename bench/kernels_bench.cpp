// Loops between products (harness/decode/kernels), on one thread and on numbers as a
// model has them: what takes long with some numbers only does not show on zeros.

#include <random>
#include <type_traits>

#include <ATen/ATen.h>
#include <benchmark/benchmark.h>

#include "harness/decode/kernels/kernels.h"
#include "harness/decode/scalar.h"

namespace {

using namespace fbt;

template <typename S>  // Bf16 or double
constexpr bool kIsBf16 = std::is_same_v<S, kernels::Bf16>;

// Standard normal numbers, [count].
at::Tensor normal_numbers(std::int64_t count, at::ScalarType dtype) {
  std::mt19937 random(1);
  std::normal_distribution<double> number;
  const at::Tensor tensor = at::empty({count}, at::kDouble);
  double* values = tensor.data_ptr<double>();
  for (std::int64_t i = 0; i < count; ++i) values[i] = number(random);
  return tensor.to(dtype);
}

// SwiGLU of a few tokens of fbt-1b, which lie in the core's own cache.
template <typename S>
void swiglu(benchmark::State& state) {
  constexpr at::ScalarType kType = kIsBf16<S> ? at::kBFloat16 : at::kDouble;
  constexpr std::int64_t kRows = 4;
  constexpr std::int64_t kWidth = 6656;
  const at::Tensor gate_up = normal_numbers(kRows * 2 * kWidth, kType);
  const at::Tensor out = at::empty({kRows * kWidth}, kType);
  for (auto _ : state) {
    kernels::table<S>().silu_mul(scalars<S>(gate_up), scalars<S>(out), kWidth, 0, kRows);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * kRows * kWidth);
}
BENCHMARK_TEMPLATE(swiglu, kernels::Bf16)->Name("kernels/swiglu/bfloat16");
BENCHMARK_TEMPLATE(swiglu, double)->Name("kernels/swiglu/float64");

// The log-sum of one row of fbt-1b's logits.
template <typename S>
void summarise(benchmark::State& state) {
  constexpr at::ScalarType kType = kIsBf16<S> ? at::kFloat : at::kDouble;
  constexpr std::int64_t kVocabulary = 100352;
  const at::Tensor logits = normal_numbers(kVocabulary, kType);
  for (auto _ : state) {
    benchmark::DoNotOptimize(kernels::table<S>().summarise(wide_scalars<S>(logits), kVocabulary));
  }
  state.SetItemsProcessed(state.iterations() * kVocabulary);
}
BENCHMARK_TEMPLATE(summarise, kernels::Bf16)->Name("kernels/log_sum/float32");
BENCHMARK_TEMPLATE(summarise, double)->Name("kernels/log_sum/float64");

}  // namespace
