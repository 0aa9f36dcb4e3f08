#pragma once

// Means over the tasks of a group, from each task's own mean.

#include <span>
#include <string>

namespace fbt::results {

// A mean over documents with its standard error.
struct MeanScore {
  double value = 0;
  double standard_error = 0;
  int documents = 0;
};

// Of a task's documents: clustered by subject where there are two subjects or
// more, else the sample standard deviation over √n (0 for n < 2). `subjects` may
// be empty.
MeanScore mean_score(std::span<const double> values, std::span<const std::string> subjects);

// Every member counts the same. Members are independent: variances add up.
MeanScore plain_mean(std::span<const MeanScore> members);

// Every document counts the same. The standard error is clustered by member, the
// formula of clustered_standard_error(); of a single member it is its own.
MeanScore size_weighted_mean(std::span<const MeanScore> members);

// The standard error that lm-eval gives a size-weighted mean: that of one sample
// whose variance is the members' pooled variance. It takes the members for the
// whole population of tasks, where the clustered one takes them for a sample.
// Precondition: the members' errors are the sample standard deviation over √n.
double pooled_standard_error(std::span<const MeanScore> members);

}  // namespace fbt::results
