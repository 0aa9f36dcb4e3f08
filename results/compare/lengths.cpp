#include "results/compare/lengths.h"

#include "results/compare/comparison.h"

namespace fbt::results {
namespace {

std::optional<double> median_of(const std::vector<SampleOutcome>& samples,
                                std::optional<bool> right) {
  std::vector<double> lengths;
  for (const SampleOutcome& sample : samples) {
    if (right && (sample.verdict == Verdict::kRight) != *right) continue;
    lengths.push_back(sample.trace_length);
  }
  if (lengths.empty()) return std::nullopt;
  return median(std::move(lengths));
}

const RunData* standard_of(const RunData& run, std::span<const RunData> runs) {
  for (const RunData& other : runs) {
    if (other.run.checkpoint.content_hash == run.run.checkpoint.content_hash &&
        other.run.plan.task == run.run.plan.task && other.run.plan.mode == "standard" &&
        &other != &run) {
      return &other;
    }
  }
  return nullptr;
}

void add_changes(const RunData& standard, const ChosenScores& standard_scores, const RunData& run,
                 const ChosenScores& scores, double level, TraceLengths& result) {
  const PairedScores lengths =
      pair_documents(standard, trace_lengths(standard, standard_scores.temperature_index), run,
                     trace_lengths(run, scores.temperature_index));
  const PairedScores values =
      pair_documents(standard, standard_scores.per_document, run, scores.per_document);
  const auto change_where = [&](const auto& keep) -> std::optional<PairedRatio> {
    std::vector<double> first;
    std::vector<double> second;
    for (std::size_t d = 0; d < lengths.first.size(); ++d) {
      if (!keep(values.first[d], values.second[d])) continue;
      first.push_back(lengths.first[d]);
      second.push_back(lengths.second[d]);
    }
    if (first.empty()) return std::nullopt;
    return compare_ratio(first, second, level);
  };
  result.change = change_where([](double, double) { return true; });
  result.change_right = change_where([](double a, double b) { return a >= 0.5 && b >= 0.5; });
  result.change_wrong = change_where([](double a, double b) { return a < 0.5 && b < 0.5; });
}

}  // namespace

std::vector<TraceLengths> compare_lengths(std::span<const RunData> runs,
                                          const TemperatureChoice& temperature, double level) {
  std::vector<TraceLengths> results;
  for (const RunData& run : runs) {
    if (run.run.plan.kind != "generation") continue;
    const ChosenScores scores = choose_scores(run, temperature);
    const auto& samples = run.samples[scores.temperature_index];
    const std::optional<double> all = median_of(samples, std::nullopt);
    if (!all) continue;
    TraceLengths& result = results.emplace_back();
    result.checkpoint = run.run.checkpoint.name;
    result.task = run.run.plan.task;
    result.mode = mode_label(run.run.plan);
    if (run.temperatures.size() > 1) {
      result.temperature = run.temperatures[scores.temperature_index];
    }
    result.median = *all;
    result.median_right = median_of(samples, true);
    result.median_wrong = median_of(samples, false);
    if (const RunData* standard = standard_of(run, runs)) {
      add_changes(*standard, choose_scores(*standard, temperature), run, scores, level, result);
    }
  }
  return results;
}

}  // namespace fbt::results
