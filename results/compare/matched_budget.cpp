#include "results/compare/matched_budget.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "results/compare/comparison.h"
#include "results/summary/task_groups.h"

namespace fbt::results {
namespace {

constexpr double kTolerance = 0.1;

bool matches(const RunData& standard, const RunData& other) {
  const Checkpoint& a = standard.run.checkpoint;
  const Checkpoint& b = other.run.checkpoint;
  if (a.family != "standard" || b.family != "full-bandwidth" || a.stage != b.stage) return false;
  if (!a.train_tokens || !b.train_tokens || *b.train_tokens <= 0) return false;
  if (std::abs(*a.train_tokens / (2 * *b.train_tokens) - 1) > kTolerance) return false;
  return standard.run.plan.mode == "standard" && standard.run.plan.task == other.run.plan.task &&
         plan_differences(standard.run.plan, other.run.plan, true).empty();
}

// A task on both sides, over the documents that both have done.
struct Match {
  const RunData* standard;
  const RunData* other;
  PairedScores scores;

  const std::string& task() const { return other->run.plan.task; }
  // What the tasks of a group must have in common.
  auto setting() const {
    const Plan& plan = other->run.plan;
    return std::tuple(standard->run.checkpoint.content_hash, other->run.checkpoint.content_hash,
                      mode_label(plan), plan.shots, plan.limit);
  }
};

using Matches = std::vector<Match>;

// Grouped by setting, in the order of the runs.
std::vector<Matches> find_matches(std::span<const RunData> runs) {
  std::vector<Matches> found;
  for (const RunData& standard : runs) {
    for (const RunData& other : runs) {
      if (!matches(standard, other)) continue;
      Match match{&standard, &other,
                  pair_documents(standard, choose_scores(standard, {}).per_document, other,
                                 choose_scores(other, {}).per_document)};
      if (match.scores.first.empty()) continue;
      auto place = std::find_if(found.begin(), found.end(), [&](const Matches& matches) {
        return matches.front().setting() == match.setting();
      });
      if (place == found.end()) place = found.insert(found.end(), Matches{});
      place->push_back(std::move(match));
    }
  }
  return found;
}

MatchedPair pair_of(const Match& match, const std::string& task) {
  MatchedPair pair;
  pair.task = task;
  pair.standard = match.standard->run.checkpoint.name;
  pair.full_bandwidth = match.other->run.checkpoint.name;
  pair.mode = mode_label(match.other->run.plan);
  pair.standard_tokens = *match.standard->run.checkpoint.train_tokens;
  pair.full_bandwidth_tokens = *match.other->run.checkpoint.train_tokens;
  return pair;
}

MatchedPair task_pair(const Match& match) {
  MatchedPair pair = pair_of(match, match.task());
  pair.standard_score = mean(match.scores.first);
  pair.full_bandwidth_score = mean(match.scores.second);
  pair.comparison = compare_paired(match.scores.first, match.scores.second, match.scores.subjects);
  return pair;
}

// The mean over a group of what `values_of` takes from a task's paired scores.
template <typename ValuesOf>
std::optional<MeanScore> mean_of(const TaskGroup& group, const TaskGroups& groups,
                                 const Matches& tasks, const ValuesOf& values_of) {
  return groups.mean(group, [&](const std::string& task) -> std::optional<MeanScore> {
    const auto match = std::find_if(tasks.begin(), tasks.end(),
                                    [&](const Match& one) { return one.task() == task; });
    if (match == tasks.end()) return std::nullopt;
    return mean_score(values_of(match->scores), match->scores.subjects);
  });
}

std::vector<double> differences(const PairedScores& scores) {
  std::vector<double> values = scores.second;
  for (std::size_t d = 0; d < values.size(); ++d) values[d] -= scores.first[d];
  return values;
}

std::optional<MatchedPair> group_pair(const TaskGroup& group, const TaskGroups& groups,
                                      const Matches& tasks) {
  const auto standard = mean_of(group, groups, tasks, [](const auto& both) { return both.first; });
  if (!standard || groups.tasks_in(group).size() < 2) return std::nullopt;
  const auto other = mean_of(group, groups, tasks, [](const auto& both) { return both.second; });
  const auto difference = mean_of(group, groups, tasks, differences);
  MatchedPair pair = pair_of(tasks.front(), group.name);
  pair.is_group = true;
  pair.standard_score = standard->value;
  pair.full_bandwidth_score = other->value;
  pair.comparison =
      compare_normal(difference->value, difference->standard_error,
                     static_cast<std::size_t>(difference->documents), "z of the mean over tasks");
  return pair;
}

void add_pairs(const Matches& tasks, std::vector<MatchedPair>& pairs) {
  TaskGroups groups;
  for (const Match& match : tasks) groups.add(match.other->run.plan.groups);
  std::vector<MatchedPair> means;
  std::set<std::string> stood_for;
  for (const TaskGroup& group : groups.all()) {
    std::optional<MatchedPair> pair = group_pair(group, groups, tasks);
    if (!pair) continue;
    means.push_back(std::move(*pair));
    if (group.mean != TaskGroup::Mean::kSizeWeighted) continue;
    for (const std::string& task : groups.tasks_in(group)) stood_for.insert(task);
  }
  for (const Match& match : tasks) {
    if (!stood_for.contains(match.task())) pairs.push_back(task_pair(match));
  }
  pairs.insert(pairs.end(), means.begin(), means.end());
}

}  // namespace

std::vector<MatchedPair> matched_budget(std::span<const RunData> runs) {
  std::vector<MatchedPair> pairs;
  for (const Matches& tasks : find_matches(runs)) add_pairs(tasks, pairs);
  std::vector<double> p_values;
  for (const MatchedPair& pair : pairs) p_values.push_back(pair.comparison.p);
  const std::vector<double> adjusted = holm(p_values);
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i].p_adjusted = adjusted[i];
  return pairs;
}

Table matched_budget_table(std::span<const MatchedPair> pairs) {
  Table table;
  table.title = "Matched budget: full-bandwidth at T tokens against standard at 2 T";
  table.columns = {{"task", false},  {"full-bandwidth", false}, {"tokens", true},
                   {"mode", false},  {"score", true},           {"standard", false},
                   {"tokens", true}, {"score", true},           {"difference [95 %]", true},
                   {"p", true}};
  for (const MatchedPair& pair : pairs) {
    const PairedComparison& c = pair.comparison;
    table.rows.push_back(
        {pair.task, pair.full_bandwidth, token_count(pair.full_bandwidth_tokens), pair.mode,
         percent(pair.full_bandwidth_score), pair.standard, token_count(pair.standard_tokens),
         percent(pair.standard_score),
         fmt::format("{} [{}, {}]{}", signed_percent(c.difference), signed_percent(c.interval.low),
                     signed_percent(c.interval.high), pair.p_adjusted < 0.05 ? " *" : ""),
         fmt::format("{:.4f}", c.p)});
  }
  table.notes.emplace_back("* p < 0.05 after Holm's correction over this table");
  return table;
}

nlohmann::json matched_budget_json(std::span<const MatchedPair> pairs) {
  nlohmann::json list = nlohmann::json::array();
  for (const MatchedPair& pair : pairs) {
    const PairedComparison& c = pair.comparison;
    list.push_back({{"task", pair.task},
                    {"is_group", pair.is_group},
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
                    {"p_adjusted", pair.p_adjusted},
                    {"documents", c.documents}});
  }
  return list;
}

}  // namespace fbt::results
