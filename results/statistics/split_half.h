#pragma once

// An honest figure for a score whose temperature was searched on the test set
// (DESIGN.md §3): the temperature is chosen on a random half of the documents
// and the other half is scored at it, and the reverse, over repeated splits.

#include <cstdint>
#include <span>
#include <vector>

namespace fbt::results {

struct SplitHalf {
  // Each document's value at the temperatures chosen without it, averaged over
  // splits: the figure is their mean, and they can be paired with another run's.
  std::vector<double> per_document;
  // How often each temperature was chosen; sums to 1.
  std::vector<double> chosen;
};

// `values[t][d]`: document d's value at temperature t; rows of equal length.
// Ties go to the earlier temperature. Precondition: at least one temperature.
SplitHalf split_half(const std::vector<std::vector<double>>& values, int splits = 200,
                     std::uint64_t seed = 20'260'808);

// The temperature with the highest mean: the paper's choice.
std::size_t best_temperature(const std::vector<std::vector<double>>& values);

}  // namespace fbt::results
