// Comparing maths answers: ordinary ones (the aim is 20,000 a second and more) and
// the hardest known (50 ms at most).

#include <utility>

#include <benchmark/benchmark.h>

#include "scorers/gsm8k.h"
#include "scorers/math/equivalence.h"
#include "scorers/math/grade.h"

namespace {

using fbt::scorers::math::equivalent;

// The mix of a benchmark run: mostly numbers and fractions, some expressions.
constexpr std::pair<const char*, const char*> kOrdinary[] = {
    {"17", "17.0"},
    {"240", "241"},
    {"1,250", "1250 \\text{ meters}"},
    {"\\frac{3}{8}", "0.375"},
    {"\\frac{5}{12}", "\\dfrac{10}{24}"},
    {"-\\frac{7}{9}", "-7/9"},
    {"2\\frac{1}{3}", "\\frac{7}{3}"},
    {"45^\\circ", "45"},
    {"\\text{(B)}", "B"},
    {"\\text{even}", "odd"},
    {"6\\sqrt{5}", "\\sqrt{180}"},
    {"12\\pi", "36\\pi"},
    {"x^2 - 5x + 6", "(x-2)(x-3)"},
    {"3a + 2b", "2b + 3a"},
    {"(3, -4)", "\\left(3,-4\\right)"},
    {"[1, 5)", "1 \\le x < 5"},
    {"-2, 1, 4", "4, -2, 1"},
    {"x = 9", "9"},
    {"1 + 2i", "2i + 1"},
    {"\\begin{pmatrix} 1 \\\\ 2 \\end{pmatrix}", "\\begin{bmatrix} 1 \\\\ 2 \\end{bmatrix}"},
};

constexpr std::pair<const char*, const char*> kHard[] = {
    {"2^{2^{2^{49}}}", "4^{2^{2^{49}-1}}"},
    {"\\binom{1000000}{500000}", "\\frac{1000000!}{(500000!)^2}"},
    {"1/2004!", "1/2006!"},
    {"2^{2005}", "2^{2005}+1"},
    {"\\sqrt[4]{x^3 y^2 z}", "\\sqrt[4]{x^3 z}\\sqrt{y}"},
    {"x^2 + y^2 = 25", "\\frac{x^2}{25} = 1 - \\frac{y^2}{25}"},
    {"y = \\frac{1}{x}", "xy = 1"},
    {"\\int_0^1 x^2\\,dx", "\\frac{1}{3}"},
    {"\\sum_{k=1}^{200} \\sin k", "\\sum_{k=0}^{199} \\sin(k+1)"},
    {"\\sin^{40} x + \\cos^{40} x", "1"},
};

void ordinary_comparisons(benchmark::State& state) {
  for (auto _ : state) {
    for (const auto& [gold, predicted] : kOrdinary) {
      benchmark::DoNotOptimize(equivalent(gold, predicted));
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(std::size(kOrdinary)));
}
BENCHMARK(ordinary_comparisons);

void hard_comparison(benchmark::State& state) {
  const auto& [gold, predicted] = kHard[state.range(0)];
  for (auto _ : state) benchmark::DoNotOptimize(equivalent(gold, predicted));
  state.SetLabel(gold);
}
BENCHMARK(hard_comparison)->DenseRange(0, std::size(kHard) - 1)->Unit(benchmark::kMillisecond);

constexpr const char* kCompletion =
    "Let $r$ be the radius. Then $\\pi r^2 = 36\\pi$, so $r = 6$ and the circumference is "
    "$2\\pi r = 12\\pi$. Therefore, the answer is $\\boxed{12\\pi}$.";

void grade_math_completion(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(fbt::scorers::math::grade("12\\pi", kCompletion));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(grade_math_completion);

void score_gsm8k_completion(benchmark::State& state) {
  const std::string completion =
      "She has 12 + 30 = 42 apples, and sells 5 of them for $2.\n#### 84";
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        fbt::scorers::score_gsm8k("84", completion, fbt::scorers::Gsm8kFilter::kFlexible));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(score_gsm8k_completion);

}  // namespace
