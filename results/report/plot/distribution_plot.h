#pragma once

// Distributions of a length, one row below the other: a histogram of right and
// wrong answers on top of each other, and a box below it.

#include <string>
#include <vector>

namespace fbt::results {

struct DistributionRow {
  std::string group;  // heading above the first row of a group; empty: none
  std::string name;
  int style = 0;
  std::vector<double> right;
  std::vector<double> wrong;  // undecided ones too
};

struct DistributionPlot {
  std::string title;
  std::string description;
  std::string x_label;
  std::vector<DistributionRow> rows;
};

// Value below which the share `p` lies, interpolated linearly between order
// statistics. Precondition: `sorted` is, and not empty.
double quantile(const std::vector<double>& sorted, double p);

// The SVG element; `id` must be unique in its page. The box spans the quartiles,
// its line is the median, the whiskers reach from the 5th to the 95th percentile.
std::string draw_distribution_plot(const DistributionPlot& plot, const std::string& id);

}  // namespace fbt::results
