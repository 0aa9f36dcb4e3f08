#include "harness/mechanism/logistic_regression.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/vector_clones.h"
#include "harness/mechanism/lbfgs.h"

namespace fbt::mechanism {
namespace {

// Partial sums, so that the compiler may use vector registers.
FBT_VECTOR_CLONES
double dot(const float* a, const double* b, std::size_t size) {
  constexpr std::size_t kLanes = 16;
  std::array<double, kLanes> sums{};
  std::size_t j = 0;
  for (; j + kLanes <= size; j += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) sums[lane] += a[j + lane] * b[j + lane];
  }
  double sum = 0;
  for (const double lane : sums) sum += lane;
  for (; j < size; ++j) sum += a[j] * b[j];
  return sum;
}

FBT_VECTOR_CLONES
void add_scaled(double* to, double factor, const float* from, std::size_t size) {
  for (std::size_t j = 0; j < size; ++j) to[j] += factor * from[j];
}

// Loss of one sample; turns scores [outputs] into d loss / d score.
double loss_and_residuals(std::span<double> scores, int label) {
  if (scores.size() == 1) {
    // log(1 + exp(-m)) for the margin m, without overflow.
    const double margin = label == 1 ? scores[0] : -scores[0];
    const double small = std::exp(-std::abs(margin));
    const double probability_wrong = (margin > 0 ? small : 1.0) / (1 + small);
    scores[0] = label == 1 ? -probability_wrong : probability_wrong;
    return std::max(0.0, -margin) + std::log1p(small);
  }
  const double most = *std::max_element(scores.begin(), scores.end());
  const double right = scores[static_cast<std::size_t>(label)];
  double total = 0;
  for (double& score : scores) total += score = std::exp(score - most);
  for (double& score : scores) score /= total;
  scores[static_cast<std::size_t>(label)] -= 1;
  return std::log(total) + most - right;
}

}  // namespace

// Weights and intercepts for features as they are, standardization folded in.
struct LogisticRegression::Scores {
  std::size_t columns;
  std::vector<double> weights;     // [outputs x columns]
  std::vector<double> intercepts;  // [outputs]

  void compute(std::span<const float> row, std::span<double> scores) const {
    for (std::size_t k = 0; k < scores.size(); ++k) {
      scores[k] = dot(row.data(), weights.data() + k * columns, columns) + intercepts[k];
    }
  }
};

LogisticRegression::LogisticRegression(const TrainingSet& training)
    : training_(training),
      outputs_(training.classes == 2 ? 1 : static_cast<std::size_t>(training.classes)),
      standardization_(standardization_of(training.features, training.rows)),
      parameters_(outputs_ * (training.features.columns + 1), 0) {}

std::span<const double> LogisticRegression::weights() const {
  return std::span(parameters_).first(outputs_ * training_.features.columns);
}

std::span<const double> LogisticRegression::intercepts() const {
  return std::span(parameters_).last(outputs_);
}

LogisticRegression::Scores LogisticRegression::raw_weights(std::span<const double> x) const {
  const std::size_t columns = training_.features.columns;
  Scores raw{columns, std::vector<double>(outputs_ * columns), std::vector<double>(outputs_)};
  for (std::size_t k = 0; k < outputs_; ++k) {
    double shift = 0;
    for (std::size_t j = 0; j < columns; ++j) {
      const double weight = x[k * columns + j] * standardization_.inverse_scale[j];
      raw.weights[k * columns + j] = weight;
      shift += weight * standardization_.mean[j];
    }
    raw.intercepts[k] = x[outputs_ * columns + k] - shift;
  }
  return raw;
}

// Mean loss + penalty/2 · ‖w‖².
double LogisticRegression::objective(double penalty, std::span<const double> x,
                                     std::span<double> gradient) const {
  const std::size_t columns = training_.features.columns;
  const Scores raw = raw_weights(x);
  std::fill(gradient.begin(), gradient.end(), 0);
  std::vector<double> scores(outputs_);
  double loss = 0;
  for (const std::size_t i : training_.rows) {
    const std::span<const float> row = training_.features.row(i);
    raw.compute(row, scores);
    loss += loss_and_residuals(scores, training_.labels[i]);
    for (std::size_t k = 0; k < outputs_; ++k) {
      add_scaled(gradient.data() + k * columns, scores[k], row.data(), columns);
      gradient[outputs_ * columns + k] += scores[k];
    }
  }
  const auto n = static_cast<double>(training_.rows.size());
  double squares = 0;
  for (std::size_t k = 0; k < outputs_; ++k) {
    double& intercept = gradient[outputs_ * columns + k];
    for (std::size_t j = 0; j < columns; ++j) {
      const double weight = x[k * columns + j];
      double& slope = gradient[k * columns + j];
      slope =
          (slope - standardization_.mean[j] * intercept) * standardization_.inverse_scale[j] / n +
          penalty * weight;
      squares += weight * weight;
    }
    intercept /= n;
  }
  return loss / n + penalty / 2 * squares;
}

bool LogisticRegression::fit(double c, double tolerance) {
  const double penalty = 1 / (c * static_cast<double>(training_.rows.size()));
  const auto value = [&](std::span<const double> x, std::span<double> gradient) {
    return objective(penalty, x, gradient);
  };
  return minimize(value, parameters_, {.tolerance = tolerance}).converged;
}

int LogisticRegression::predict(std::span<const float> row) const {
  // Without folding: one row does not pay for it.
  const std::size_t columns = training_.features.columns;
  std::vector<double> scores(intercepts().begin(), intercepts().end());
  for (std::size_t k = 0; k < outputs_; ++k) {
    for (std::size_t j = 0; j < columns; ++j) {
      scores[k] += parameters_[k * columns + j] * (row[j] - standardization_.mean[j]) *
                   standardization_.inverse_scale[j];
    }
  }
  if (outputs_ == 1) return scores[0] > 0 ? 1 : 0;
  return static_cast<int>(std::max_element(scores.begin(), scores.end()) - scores.begin());
}

}  // namespace fbt::mechanism
