#pragma once

// Intervals for one proportion or mean. `level` is the coverage, as 0.95.

#include <span>
#include <string>
#include <vector>

namespace fbt::results {

struct Interval {
  double low = 0;
  double high = 0;
};

// A figure with its interval and how that was made ("Wilson", "BCa bootstrap",
// "clustered by subject", "normal").
struct Estimate {
  double value = 0;
  Interval interval;
  double standard_error = 0;
  std::string method;
};

// Wilson's score interval for `successes` of `n` (Wilson, JASA 22, 1927).
// `successes` may be fractional. n = 0 gives [0, 1].
Interval wilson_interval(double successes, double n, double level);

double mean(std::span<const double> values);
// Sample standard deviation (n - 1); 0 for fewer than two values.
double standard_deviation(std::span<const double> values);
// Middle value, or the mean of the two middle ones; 0 for none.
double median(std::vector<double> values);

// Standard error of the mean of all values where documents of a cluster are
// alike (Liang and Zeger, Biometrika 73, 1986; Miller, "Adding error bars to
// evals", 2024): residuals are summed within clusters, with the factor
// C/(C - 1) for C clusters. `clusters` names each value's cluster.
double clustered_standard_error(std::span<const double> values,
                                std::span<const std::string> clusters);

// value ± z · standard_error.
Interval normal_interval(double value, double standard_error, double level);

// Mean of per-document values in [0, 1] with the interval that fits them:
// clustered by subject where there are at least two subjects, Wilson where all
// values are 0 or 1 (or all the same), BCa bootstrap otherwise. `subjects` may
// be empty.
Estimate estimate_score(std::span<const double> values, std::span<const std::string> subjects,
                        double level = 0.95);

// Whether every value is 0 or 1.
bool is_binary(std::span<const double> values);
// Whether documents fall into at least two subjects.
bool has_clusters(std::span<const std::string> subjects);

}  // namespace fbt::results
