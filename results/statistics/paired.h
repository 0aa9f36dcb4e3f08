#pragma once

// Two runs over the same documents: is one better?

#include <span>
#include <string>
#include <vector>

#include "results/statistics/interval.h"

namespace fbt::results {

// Exact McNemar test (McNemar, Psychometrika 12, 1947; the exact conditional
// form): of the documents on which just one of the two was right, `gained` by
// the second and `lost`, half are expected either way.
double mcnemar_two_sided(long long gained, long long lost);
// Evidence that the second is worse: small p for many lost. P(X <= gained).
double mcnemar_worse(long long gained, long long lost);
// How often the two-sided test at `level` calls two equal systems different
// that differ on `discordant` documents: being exact and discrete, at most `level`.
double mcnemar_false_alarm_rate(long long discordant, double level);

// Tango's score interval for the difference of paired proportions (gained -
// lost) / n (Tango, Statistics in Medicine 17, 1998). Holds up where few or no
// documents differ, unlike Wald's.
Interval tango_interval(long long gained, long long lost, long long n, double level);

// Holm's step-down correction: adjusted p-values in the input's order (Holm,
// Scandinavian Journal of Statistics 6, 1979).
std::vector<double> holm(std::span<const double> p_values);

// The smallest true mean difference that a two-sided paired test at `level`
// finds with probability `power`, for `n` documents whose differences have
// this standard deviation: (z_{1-level/2} + z_power) · sd / sqrt(n).
double minimal_detectable_difference(double deviation, double n, double level = 0.05,
                                     double power = 0.8);

struct PairedComparison {
  std::size_t documents = 0;
  double difference = 0;  // mean of second - first
  Interval interval;      // of the difference
  double p = 1;           // two-sided
  double p_worse = 1;     // one-sided: small where the second is worse
  double standard_error = 0;
  double detectable = 0;  // minimal_detectable_difference with the observed deviation
  std::string test;       // "exact McNemar", "paired bootstrap", "clustered z"
};

// `first[d]` and `second[d]` are the same document's values. Clustered z where
// there are two subjects or more; McNemar with Tango's interval where all
// values are 0 or 1; else the BCa bootstrap of the differences (with Tango's
// interval where no document differs). Precondition:
// same length, not empty; `subjects` empty or of that length.
PairedComparison compare_paired(std::span<const double> first, std::span<const double> second,
                                std::span<const std::string> subjects, double level = 0.95);

// A difference of means over `documents` whose standard error is known: the z test
// and the normal interval. `test` names how the error was made.
PairedComparison compare_normal(double difference, double standard_error, std::size_t documents,
                                const std::string& test, double level = 0.95);

// Relative change of a positive quantity (trace length) over the same
// documents: sum(second) / sum(first) - 1, BCa bootstrap.
struct PairedRatio {
  std::size_t documents = 0;
  double change = 0;
  Interval interval;
  double p = 1;
  double p_grown = 1;  // one-sided: small where the second is longer
};

PairedRatio compare_ratio(std::span<const double> first, std::span<const double> second,
                          double level = 0.95);

}  // namespace fbt::results
