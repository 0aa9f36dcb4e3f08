#include "harness/mechanism/probe_fit.h"

#include <algorithm>
#include <string>

#include <nlohmann/json.hpp>

#include "harness/mechanism/group_folds.h"
#include "results/statistics/bootstrap.h"

namespace fbt::mechanism {
namespace {

using nlohmann::json;

struct Accuracy {
  double value = 0;
  results::Interval interval;
};

Accuracy accuracy_of(std::span<const int> predictions, std::span<const int> labels,
                     std::span<const int> groups) {
  std::map<int, std::pair<double, double>> by_group;  // right, all
  for (std::size_t i = 0; i < labels.size(); ++i) {
    auto& [right, all] = by_group[groups[i]];
    right += predictions[i] == labels[i] ? 1 : 0;
    all += 1;
  }
  std::vector<double> rights;
  std::vector<double> counts;
  for (const auto& [group, tally] : by_group) {
    rights.push_back(tally.first);
    counts.push_back(tally.second);
  }
  const results::Bootstrap bootstrap = results::bootstrap_ratio(rights, counts);
  return {bootstrap.estimate(), bootstrap.interval(0.95)};
}

std::map<int, double> accuracy_by_idle(std::span<const int> predictions,
                                       const ProbeLabels& samples) {
  std::map<int, std::pair<double, double>> tallies;  // right, all
  for (std::size_t i = 0; i < samples.labels.size(); ++i) {
    auto& [right, all] = tallies[samples.idle[i]];
    right += predictions[i] == samples.labels[i] ? 1 : 0;
    all += 1;
  }
  std::map<int, double> accuracy;
  for (const auto& [idle, tally] : tallies) accuracy[idle] = tally.first / tally.second;
  return accuracy;
}

json interval_json(const results::Interval& interval) {
  return {interval.low, interval.high};
}

results::Interval interval_from(const json& value) {
  return {value.at(0).get<double>(), value.at(1).get<double>()};
}

}  // namespace

ProbeScore fit_probe(const FeatureView& features, const ProbeLabels& samples,
                     const CrossValidationOptions& options) {
  ProbeScore score;
  HeldOut held_out =
      cross_validate(features, samples.labels, samples.groups, samples.classes, options);
  const Accuracy real = accuracy_of(held_out.predictions, samples.labels, samples.groups);
  score.accuracy = real.value;
  score.interval = real.interval;
  score.by_idle = accuracy_by_idle(held_out.predictions, samples);
  score.strengths = std::move(held_out.strengths);

  const std::vector<int> shuffled =
      shuffle_within_groups(samples.labels, samples.groups, options.seed);
  const HeldOut control =
      cross_validate(features, shuffled, samples.groups, samples.classes, options);
  const Accuracy none = accuracy_of(control.predictions, shuffled, samples.groups);
  score.shuffled = none.value;
  score.shuffled_interval = none.interval;
  return score;
}

double chance_level(const ProbeLabels& samples) {
  std::vector<double> counts(static_cast<std::size_t>(samples.classes), 0);
  for (const int label : samples.labels) ++counts[static_cast<std::size_t>(label)];
  return *std::max_element(counts.begin(), counts.end()) /
         static_cast<double>(samples.labels.size());
}

json to_json(const ProbeScore& score) {
  json by_idle = json::object();
  for (const auto& [idle, accuracy] : score.by_idle) by_idle[std::to_string(idle)] = accuracy;
  return {
      {"accuracy", score.accuracy}, {"interval", interval_json(score.interval)},
      {"shuffled", score.shuffled}, {"shuffled_interval", interval_json(score.shuffled_interval)},
      {"by_idle", by_idle},         {"strengths", score.strengths}};
}

ProbeScore probe_score_from_json(const json& value) {
  ProbeScore score;
  score.accuracy = value.at("accuracy").get<double>();
  score.interval = interval_from(value.at("interval"));
  score.shuffled = value.at("shuffled").get<double>();
  score.shuffled_interval = interval_from(value.at("shuffled_interval"));
  for (const auto& [idle, accuracy] : value.at("by_idle").items()) {
    score.by_idle[std::stoi(idle)] = accuracy.get<double>();
  }
  score.strengths = value.at("strengths").get<std::vector<double>>();
  return score;
}

}  // namespace fbt::mechanism
