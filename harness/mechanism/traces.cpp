#include "harness/mechanism/traces.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "results/statistics/interval.h"

namespace fbt::mechanism {
namespace {

using results::RunData;
using results::SampleOutcome;
using results::Verdict;

// A run with the temperature at which its lengths are taken.
struct Chosen {
  const RunData* data;
  std::vector<double> scores;  // of data->doc_ids
  std::size_t temperature;

  const std::vector<SampleOutcome>& samples() const { return data->samples[temperature]; }
  std::string mode() const { return results::mode_label(data->run.plan); }
};

// Mean lengths and score of one document.
struct DocumentLengths {
  double trace = 0;
  double reasoning = 0;
  double score = 0;
};

std::map<std::int64_t, DocumentLengths> by_document(const Chosen& run) {
  std::map<std::int64_t, DocumentLengths> documents;
  std::map<std::int64_t, double> counts;
  for (const SampleOutcome& sample : run.samples()) {
    documents[sample.doc_id].trace += sample.trace_length;
    documents[sample.doc_id].reasoning += sample.reasoning_length;
    counts[sample.doc_id] += 1;
  }
  for (auto& [id, lengths] : documents) {
    lengths.trace /= counts[id];
    lengths.reasoning /= counts[id];
  }
  for (std::size_t i = 0; i < run.data->doc_ids.size(); ++i) {
    const auto found = documents.find(run.data->doc_ids[i]);
    if (found != documents.end()) found->second.score = run.scores[i];
  }
  return documents;
}

std::optional<TraceRow> row_of(const Chosen& run, const char* answers,
                               std::optional<Verdict> verdict) {
  std::vector<double> trace;
  std::vector<double> reasoning;
  for (const SampleOutcome& sample : run.samples()) {
    if (verdict && sample.verdict != *verdict) continue;
    trace.push_back(sample.trace_length);
    reasoning.push_back(sample.reasoning_length);
  }
  if (trace.empty()) return std::nullopt;
  TraceRow row;
  row.checkpoint = run.data->run.checkpoint.name;
  row.task = run.data->run.plan.task;
  row.mode = run.mode();
  if (run.data->temperatures.size() > 1) row.temperature = run.data->temperatures[run.temperature];
  row.answers = answers;
  row.samples = static_cast<int>(trace.size());
  row.trace = distribution_of(std::move(trace));
  row.reasoning = distribution_of(std::move(reasoning));
  return row;
}

std::optional<results::PairedRatio> ratio_of(const std::vector<double>& first,
                                             const std::vector<double>& second) {
  if (std::accumulate(first.begin(), first.end(), 0.0) <= 0) return std::nullopt;
  return results::compare_ratio(first, second);
}

template <typename Keep>
TraceChange change_of(const Chosen& from, const Chosen& to, const char* answers, const Keep& keep) {
  const auto before = by_document(from);
  std::vector<double> traces[2];
  std::vector<double> reasonings[2];
  for (const auto& [id, after] : by_document(to)) {
    const auto found = before.find(id);
    if (found == before.end() || !keep(found->second, after)) continue;
    traces[0].push_back(found->second.trace);
    traces[1].push_back(after.trace);
    reasonings[0].push_back(found->second.reasoning);
    reasonings[1].push_back(after.reasoning);
  }
  TraceChange change;
  change.task = to.data->run.plan.task;
  change.answers = answers;
  change.documents = static_cast<int>(traces[0].size());
  change.trace = ratio_of(traces[0], traces[1]);
  change.reasoning = ratio_of(reasonings[0], reasonings[1]);
  return change;
}

void add_changes(const Chosen& from, const Chosen& to, const std::string& from_name,
                 const std::string& to_name, const std::string& where,
                 std::vector<TraceChange>& changes) {
  const auto right = [](const DocumentLengths& document) { return document.score >= 0.5; };
  const auto any = [](const DocumentLengths&, const DocumentLengths&) { return true; };
  const auto both_right = [&](const DocumentLengths& a, const DocumentLengths& b) {
    return right(a) && right(b);
  };
  const auto both_wrong = [&](const DocumentLengths& a, const DocumentLengths& b) {
    return !right(a) && !right(b);
  };
  for (TraceChange change :
       {change_of(from, to, "all", any), change_of(from, to, "right in both", both_right),
        change_of(from, to, "wrong in both", both_wrong)}) {
    change.from = from_name;
    change.to = to_name;
    change.where = where;
    changes.push_back(std::move(change));
  }
}

bool same_questions(const Chosen& a, const Chosen& b) {
  return a.data->run.plan.task == b.data->run.plan.task &&
         results::plan_differences(a.data->run.plan, b.data->run.plan, true).empty();
}

}  // namespace

LengthDistribution distribution_of(std::vector<double> lengths) {
  std::sort(lengths.begin(), lengths.end());
  const auto quantile = [&](double share) {
    const double at = share * static_cast<double>(lengths.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    const std::size_t above = std::min(below + 1, lengths.size() - 1);
    return lengths[below] + (at - static_cast<double>(below)) * (lengths[above] - lengths[below]);
  };
  return {results::mean(lengths), quantile(0.1), quantile(0.25), quantile(0.5),
          quantile(0.75),         quantile(0.9), lengths.back()};
}

TraceResult trace_lengths(std::span<const RunData> runs, const TraceOptions& options) {
  std::vector<Chosen> chosen;
  for (const RunData& data : runs) {
    if (data.run.plan.kind != "generation" || data.doc_ids.empty()) continue;
    results::ChosenScores scores = results::choose_scores(data, options.temperature);
    chosen.push_back({&data, std::move(scores.per_document), scores.temperature_index});
  }
  TraceResult result;
  for (const Chosen& run : chosen) {
    for (auto& row : {row_of(run, "all", std::nullopt), row_of(run, "right", Verdict::kRight),
                      row_of(run, "wrong", Verdict::kWrong)}) {
      if (row) result.rows.push_back(*row);
    }
  }
  for (const Chosen& from : chosen) {
    const results::Checkpoint& before = from.data->run.checkpoint;
    for (const Chosen& to : chosen) {
      const results::Checkpoint& after = to.data->run.checkpoint;
      if (!same_questions(from, to)) continue;
      if (before.content_hash == after.content_hash && from.mode() == "standard" &&
          to.mode() != "standard") {
        add_changes(from, to, from.mode(), to.mode(), after.name, result.modes);
      }
      if (!options.before.empty() && before.content_hash == options.before &&
          after.content_hash == options.after && from.mode() == to.mode()) {
        add_changes(from, to, before.name, after.name, to.mode(), result.checkpoints);
      }
    }
  }
  return result;
}

}  // namespace fbt::mechanism
