// Tables and JSON of trace lengths.

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "harness/mechanism/traces.h"

namespace fbt::mechanism {
namespace {

using nlohmann::json;

std::string percentiles(const LengthDistribution& lengths) {
  return fmt::format("{:.0f} / {:.0f} / {:.0f} / {:.0f} / {:.0f}", lengths.tenth, lengths.quarter,
                     lengths.median, lengths.three_quarters, lengths.ninetieth);
}

results::Table distribution_table(const std::vector<TraceRow>& rows) {
  results::Table table;
  table.title = "Lengths in tokens (10th / 25th / 50th / 75th / 90th percentile)";
  table.columns = {{"checkpoint", false}, {"task", false},          {"mode", false},
                   {"answers", false},    {"samples", true},        {"trace mean", true},
                   {"trace", true},       {"reasoning mean", true}, {"reasoning", true}};
  for (const TraceRow& row : rows) {
    table.rows.push_back(
        {row.checkpoint, row.task,
         row.temperature ? fmt::format("{} t={}", row.mode, *row.temperature) : row.mode,
         row.answers, std::to_string(row.samples), fmt::format("{:.1f}", row.trace.mean),
         percentiles(row.trace), fmt::format("{:.1f}", row.reasoning.mean),
         percentiles(row.reasoning)});
  }
  return table;
}

std::string change_text(const std::optional<results::PairedRatio>& change) {
  if (!change) return "-";
  return fmt::format("{:+.1f} % [{:+.1f}, {:+.1f}]", 100 * change->change,
                     100 * change->interval.low, 100 * change->interval.high);
}

results::Table change_table(const std::string& title, const char* where,
                            const std::vector<TraceChange>& changes) {
  results::Table table;
  table.title = title;
  table.columns = {{where, false},         {"task", false},    {"from", false},
                   {"to", false},          {"answers", false}, {"documents", true},
                   {"trace [95 %]", true}, {"p", true},        {"reasoning [95 %]", true}};
  for (const TraceChange& change : changes) {
    table.rows.push_back({change.where, change.task, change.from, change.to, change.answers,
                          std::to_string(change.documents), change_text(change.trace),
                          change.trace ? fmt::format("{:.4f}", change.trace->p) : "-",
                          change_text(change.reasoning)});
  }
  return table;
}

json to_json(const LengthDistribution& lengths) {
  return {{"mean", lengths.mean},     {"p10", lengths.tenth},          {"p25", lengths.quarter},
          {"median", lengths.median}, {"p75", lengths.three_quarters}, {"p90", lengths.ninetieth},
          {"max", lengths.longest}};
}

json to_json(const std::optional<results::PairedRatio>& change) {
  if (!change) return nullptr;
  return {{"change", change->change},
          {"interval", {change->interval.low, change->interval.high}},
          {"p", change->p},
          {"documents", change->documents}};
}

json to_json(const std::vector<TraceChange>& changes) {
  json list = json::array();
  for (const TraceChange& change : changes) {
    list.push_back({{"task", change.task},
                    {"from", change.from},
                    {"to", change.to},
                    {"where", change.where},
                    {"answers", change.answers},
                    {"documents", change.documents},
                    {"trace", to_json(change.trace)},
                    {"reasoning", to_json(change.reasoning)}});
  }
  return list;
}

}  // namespace

std::vector<results::Table> trace_tables(const TraceResult& result) {
  std::vector<results::Table> tables = {distribution_table(result.rows)};
  if (!result.modes.empty()) {
    tables.push_back(
        change_table("Paired change against standard mode", "checkpoint", result.modes));
  }
  if (!result.checkpoints.empty()) {
    tables.push_back(change_table("Paired change between checkpoints", "mode", result.checkpoints));
  }
  return tables;
}

json trace_json(const TraceResult& result) {
  json rows = json::array();
  for (const TraceRow& row : result.rows) {
    rows.push_back({{"checkpoint", row.checkpoint},
                    {"task", row.task},
                    {"mode", row.mode},
                    {"temperature", row.temperature ? json(*row.temperature) : json(nullptr)},
                    {"answers", row.answers},
                    {"samples", row.samples},
                    {"trace", to_json(row.trace)},
                    {"reasoning", to_json(row.reasoning)}});
  }
  return {{"schema", 1},
          {"experiment", "traces"},
          {"lengths", rows},
          {"mode_changes", to_json(result.modes)},
          {"checkpoint_changes", to_json(result.checkpoints)}};
}

}  // namespace fbt::mechanism
