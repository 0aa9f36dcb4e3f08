#include "tasks/choice_metrics.h"

#include <algorithm>
#include <cmath>

#include "base/utf8.h"

namespace fbt::tasks {
namespace {

double choice_length(const std::string& metric, const std::string& choice) {
  if (metric == "acc_norm") return static_cast<double>(count_code_points(choice));
  if (metric == "acc_bytes") return static_cast<double>(choice.size());
  return 1;
}

int best_choice(const std::string& metric, const std::vector<std::string>& choices,
                std::span<const double> log_likelihoods) {
  std::size_t best = 0;
  double best_value = 0;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const double value = log_likelihoods[i] / choice_length(metric, choices[i]);
    if (i == 0 || value > best_value) {
      best = i;
      best_value = value;
    }
  }
  return static_cast<int>(best);
}

double true_mass(const std::vector<int>& truth, std::span<const double> log_likelihoods) {
  const std::size_t true_count =
      static_cast<std::size_t>(std::find(truth.begin(), truth.end(), 0) - truth.begin());
  // Shifted by the highest, so that small likelihoods do not vanish.
  const double highest = *std::max_element(log_likelihoods.begin(), log_likelihoods.end());
  double true_sum = 0;
  double sum = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const double likelihood = std::exp(log_likelihoods[i] - highest);
    sum += likelihood;
    if (i < true_count) true_sum += likelihood;
  }
  return true_sum / sum;
}

}  // namespace

std::vector<MetricValue> choice_metrics(const std::vector<std::string>& metrics,
                                        const Document& document,
                                        std::span<const double> log_likelihoods) {
  if (const auto* truth = std::get_if<std::vector<int>>(&document.target)) {
    return {{metrics.front(), true_mass(*truth, log_likelihoods)}};
  }
  std::vector<MetricValue> values;
  for (const std::string& metric : metrics) {
    const int best = best_choice(metric, document.choices, log_likelihoods);
    values.push_back({metric, best == document.right_choice ? 1.0 : 0.0});
  }
  return values;
}

}  // namespace fbt::tasks
