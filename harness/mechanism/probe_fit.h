#pragma once

// How well a linear probe reads the label from one layer's features.

#include <map>
#include <span>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "harness/mechanism/cross_validation.h"
#include "results/statistics/interval.h"

namespace fbt::mechanism {

// What the samples are, whatever their features.
struct ProbeLabels {
  std::vector<int> labels;
  std::vector<int> groups;
  std::vector<int> idle;  // idle updates before the colon
  int classes = 2;
};

struct ProbeScore {
  double accuracy = 0;         // out of fold, over all samples
  results::Interval interval;  // 95 %, groups resampled (BCa bootstrap)
  double shuffled = 0;         // the same procedure on labels shuffled within groups
  results::Interval shuffled_interval;
  std::map<int, double> by_idle;  // accuracy by number of idle updates
  std::vector<double> strengths;  // C chosen in each fold
};

// Precondition: one row of features for each label.
ProbeScore fit_probe(const FeatureView& features, const ProbeLabels& samples,
                     const CrossValidationOptions& options);

// The share of the most frequent label: what knows nothing gets right.
double chance_level(const ProbeLabels& samples);

nlohmann::json to_json(const ProbeScore& score);
ProbeScore probe_score_from_json(const nlohmann::json& value);

}  // namespace fbt::mechanism
