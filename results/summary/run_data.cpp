#include "results/summary/run_data.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>

#include <fmt/format.h>

#include "base/error.h"
#include "results/statistics/split_half.h"

namespace fbt::results {
namespace {

// values[metric][t] of each document, NaN-free: a map so that gaps show.
using Sparse = std::map<std::string, std::vector<std::unordered_map<std::int64_t, double>>>;

Sparse read_scores(const Store& store, const RunRecord& run,
                   const std::vector<double>& temperatures) {
  Sparse sparse;
  for (const DocumentScore& score : store.scores(run.id)) {
    const auto t = std::find(temperatures.begin(), temperatures.end(), score.temperature);
    if (t == temperatures.end()) continue;
    auto& by_temperature = sparse[score.metric];
    by_temperature.resize(temperatures.size());
    by_temperature[static_cast<std::size_t>(t - temperatures.begin())][score.doc_id] = score.value;
  }
  return sparse;
}

void keep_done_documents(const Store& store, const Sparse& sparse, RunData& data) {
  const auto primary = sparse.find(data.run.plan.primary_metric);
  for (const Document& document : store.documents(data.run.id)) {
    const bool done = primary != sparse.end() &&
                      std::all_of(primary->second.begin(), primary->second.end(),
                                  [&](const auto& row) { return row.contains(document.doc_id); });
    if (!done) continue;
    data.doc_ids.push_back(document.doc_id);
    data.subjects.push_back(document.subject);
    data.cut_prompts += document.cut_tokens > 0 ? 1 : 0;
  }
}

// Dense rows over the done documents, or nothing where one is missing.
std::optional<std::vector<std::vector<double>>> dense(
    const std::vector<std::unordered_map<std::int64_t, double>>& rows,
    const std::vector<std::int64_t>& doc_ids) {
  std::vector<std::vector<double>> result;
  for (const auto& row : rows) {
    auto& values = result.emplace_back();
    for (const std::int64_t id : doc_ids) {
      const auto found = row.find(id);
      if (found == row.end()) return std::nullopt;
      values.push_back(found->second);
    }
  }
  return result;
}

void read_samples(const Store& store, RunData& data) {
  data.samples.resize(data.temperatures.size());
  if (data.run.plan.kind != "generation") return;
  for (const SampleOutcome& sample : store.outcomes(data.run.id)) {
    const auto t =
        std::find(data.temperatures.begin(), data.temperatures.end(), sample.temperature);
    if (t == data.temperatures.end() ||
        !std::binary_search(data.doc_ids.begin(), data.doc_ids.end(), sample.doc_id)) {
      continue;
    }
    data.samples[static_cast<std::size_t>(t - data.temperatures.begin())].push_back(sample);
  }
}

}  // namespace

RunData load_run(const Store& store, const RunRecord& run) {
  RunData data;
  data.run = run;
  data.temperatures = run.plan.temperatures;
  if (data.temperatures.empty()) data.temperatures = {0};
  const Sparse sparse = read_scores(store, run, data.temperatures);
  keep_done_documents(store, sparse, data);
  data.values[run.plan.primary_metric].resize(data.temperatures.size());
  for (const auto& [metric, rows] : sparse) {
    if (auto values = dense(rows, data.doc_ids)) data.values[metric] = std::move(*values);
  }
  read_samples(store, data);
  return data;
}

TemperatureChoice temperature_choice_from_text(std::string_view text) {
  using Kind = TemperatureChoice::Kind;
  if (text == "best") return {Kind::kBest, 0};
  if (text == "split-half") return {Kind::kSplitHalf, 0};
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) {
    throw InputError(
        fmt::format("temperature '{}' is none: give best, split-half or a number", text));
  }
  return {Kind::kFixed, value};
}

ChosenScores choose_scores(const RunData& data, const TemperatureChoice& choice,
                           const std::string& metric) {
  const std::string& name = metric.empty() ? data.run.plan.primary_metric : metric;
  const auto found = data.values.find(name);
  const auto& plan = data.run.plan;
  if (found == data.values.end()) {
    std::vector<std::string> known;
    for (const auto& [other, rows] : data.values) known.push_back(other);
    throw InputError(fmt::format("{} of {}: {}", plan.task, data.run.checkpoint.name,
                                 unknown_name_message("metric", name, known)));
  }
  const auto& values = found->second;
  if (values.size() == 1) return {values.front(), 0};
  switch (choice.kind) {
    case TemperatureChoice::Kind::kBest: {
      const std::size_t best = best_temperature(values);
      return {values[best], best};
    }
    case TemperatureChoice::Kind::kSplitHalf: {
      SplitHalf honest = split_half(values);
      const auto most = std::max_element(honest.chosen.begin(), honest.chosen.end());
      return {std::move(honest.per_document),
              static_cast<std::size_t>(most - honest.chosen.begin())};
    }
    case TemperatureChoice::Kind::kFixed:
      break;
  }
  const auto t = std::find(data.temperatures.begin(), data.temperatures.end(), choice.temperature);
  if (t == data.temperatures.end()) {
    throw InputError(fmt::format("{} {} of {} has no samples at temperature {} (it has {})",
                                 plan.task, mode_label(plan), data.run.checkpoint.name,
                                 choice.temperature, fmt::join(data.temperatures, ", ")));
  }
  const auto index = static_cast<std::size_t>(t - data.temperatures.begin());
  return {values[index], index};
}

std::vector<double> trace_lengths(const RunData& data, std::size_t temperature_index) {
  std::vector<double> lengths;
  if (data.run.plan.kind != "generation") return lengths;
  const auto& samples = data.samples[temperature_index];
  auto sample = samples.begin();
  for (const std::int64_t id : data.doc_ids) {
    double sum = 0;
    double count = 0;
    for (; sample != samples.end() && sample->doc_id == id; ++sample) {
      sum += sample->trace_length;
      ++count;
    }
    lengths.push_back(count > 0 ? sum / count : 0);
  }
  return lengths;
}

}  // namespace fbt::results
