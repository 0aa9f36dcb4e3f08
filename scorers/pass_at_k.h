#pragma once

// Pass@k: the chance that at least one of k samples solves a problem, as
// estimated without bias from n samples of which c were right (Chen et al.,
// "Evaluating Large Language Models Trained on Code", 2021, eq. 1).

#include <cstddef>
#include <cstdint>
#include <span>

namespace fbt::scorers {

// Samples of one problem, and how many of them were right. 0 <= correct <= samples.
struct SampleCounts {
  std::size_t samples = 0;
  std::size_t correct = 0;
};

// 1 - C(n-c, k) / C(n, k), computed as a product of ratios in logarithms, so
// that neither binomial is ever formed: relative error below 1e-12 for n up to
// 10,000 and beyond. Throws InputError unless 1 <= k <= n and c <= n.
double pass_at_k(SampleCounts counts, std::size_t k);

// The mean over problems. Throws InputError where `problems` is empty.
double mean_pass_at_k(std::span<const SampleCounts> problems, std::size_t k);

struct Interval {
  double low = 0;
  double high = 0;
};

// Percentile bootstrap of the mean over problems (problems are drawn, their
// samples stay together). The same seed gives the same interval on every
// machine. `level` in (0, 1). Throws InputError as mean_pass_at_k.
Interval bootstrap_pass_at_k(std::span<const SampleCounts> problems, std::size_t k,
                             std::uint64_t seed, double level = 0.95,
                             std::size_t resamples = 10000);

}  // namespace fbt::scorers
