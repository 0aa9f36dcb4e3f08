#include "harness/mechanism/matched_budget.h"

#include <cmath>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace fbt::mechanism {
namespace {

using results::RunData;

constexpr double kTolerance = 0.1;

bool matches(const RunData& standard, const RunData& other) {
  const results::Checkpoint& a = standard.run.checkpoint;
  const results::Checkpoint& b = other.run.checkpoint;
  if (a.family != "standard" || b.family != "full-bandwidth" || a.stage != b.stage) return false;
  if (!a.train_tokens || !b.train_tokens || *b.train_tokens <= 0) return false;
  if (std::abs(*a.train_tokens / (2 * *b.train_tokens) - 1) > kTolerance) return false;
  return standard.run.plan.mode == "standard" && standard.run.plan.task == other.run.plan.task &&
         results::plan_differences(standard.run.plan, other.run.plan, true).empty();
}

std::map<std::int64_t, double> scores_of(const RunData& run) {
  const std::vector<double> values = results::choose_scores(run, {}).per_document;
  std::map<std::int64_t, double> scores;
  for (std::size_t i = 0; i < values.size(); ++i) scores[run.doc_ids[i]] = values[i];
  return scores;
}

}  // namespace

std::vector<MatchedPair> matched_budget(std::span<const RunData> runs) {
  std::vector<MatchedPair> pairs;
  for (const RunData& standard : runs) {
    for (const RunData& other : runs) {
      if (!matches(standard, other)) continue;
      const std::map<std::int64_t, double> reference = scores_of(standard);
      std::vector<double> first;
      std::vector<double> second;
      for (const auto& [id, score] : scores_of(other)) {
        const auto found = reference.find(id);
        if (found == reference.end()) continue;
        first.push_back(found->second);
        second.push_back(score);
      }
      if (first.empty()) continue;
      pairs.push_back({.task = other.run.plan.task,
                       .standard = standard.run.checkpoint.name,
                       .full_bandwidth = other.run.checkpoint.name,
                       .mode = results::mode_label(other.run.plan),
                       .standard_tokens = *standard.run.checkpoint.train_tokens,
                       .full_bandwidth_tokens = *other.run.checkpoint.train_tokens,
                       .standard_score = results::mean(first),
                       .full_bandwidth_score = results::mean(second),
                       .comparison = results::compare_paired(first, second, {})});
    }
  }
  return pairs;
}

results::Table matched_budget_table(std::span<const MatchedPair> pairs) {
  results::Table table;
  table.title = "Matched budget: full-bandwidth at T tokens against standard at 2 T";
  table.columns = {{"task", false},  {"full-bandwidth", false}, {"tokens", true},
                   {"mode", false},  {"score", true},           {"standard", false},
                   {"tokens", true}, {"score", true},           {"difference [95 %]", true},
                   {"p", true}};
  for (const MatchedPair& pair : pairs) {
    const results::PairedComparison& c = pair.comparison;
    table.rows.push_back(
        {pair.task, pair.full_bandwidth, results::token_count(pair.full_bandwidth_tokens),
         pair.mode, results::percent(pair.full_bandwidth_score), pair.standard,
         results::token_count(pair.standard_tokens), results::percent(pair.standard_score),
         fmt::format("{} [{}, {}]", results::signed_percent(c.difference),
                     results::signed_percent(c.interval.low),
                     results::signed_percent(c.interval.high)),
         fmt::format("{:.4f}", c.p)});
  }
  return table;
}

nlohmann::json matched_budget_json(std::span<const MatchedPair> pairs) {
  nlohmann::json list = nlohmann::json::array();
  for (const MatchedPair& pair : pairs) {
    const results::PairedComparison& c = pair.comparison;
    list.push_back({{"task", pair.task},
                    {"full_bandwidth", pair.full_bandwidth},
                    {"full_bandwidth_tokens", pair.full_bandwidth_tokens},
                    {"mode", pair.mode},
                    {"full_bandwidth_score", pair.full_bandwidth_score},
                    {"standard", pair.standard},
                    {"standard_tokens", pair.standard_tokens},
                    {"standard_score", pair.standard_score},
                    {"difference", c.difference},
                    {"interval", {c.interval.low, c.interval.high}},
                    {"p", c.p},
                    {"documents", c.documents}});
  }
  return list;
}

}  // namespace fbt::mechanism
