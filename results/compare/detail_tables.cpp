// The tables beside the main one: long form, data efficiency, trace lengths.

#include <fmt/format.h>

#include "results/compare/comparison_tables.h"

namespace fbt::results {
namespace {

std::string number(double value) {
  return fmt::format("{:.6g}", value);
}

std::string optional_number(const std::optional<double>& value) {
  return value ? number(*value) : "";
}

std::string change_text(const std::optional<PairedRatio>& change) {
  if (!change) return "-";
  return fmt::format("{}% [{}, {}]", signed_percent(change->change, 1),
                     signed_percent(change->interval.low, 1),
                     signed_percent(change->interval.high, 1));
}

std::string tokens_or_dash(const std::optional<double>& tokens) {
  return tokens ? number(*tokens) : "-";
}

std::vector<std::string> long_row(const ComparisonRow& row, const ComparisonColumn& column,
                                  const ComparisonCell& cell) {
  std::vector<std::string> cells = {row.checkpoint.name,
                                    row.checkpoint.family,
                                    optional_number(row.checkpoint.train_tokens),
                                    optional_number(row.effective_compute),
                                    column.task,
                                    column.mode,
                                    column.metric,
                                    number(cell.score.value),
                                    number(cell.score.interval.low),
                                    number(cell.score.interval.high),
                                    std::to_string(cell.documents),
                                    cell.complete ? "yes" : "no",
                                    optional_number(cell.temperature)};
  if (!cell.difference) {
    cells.resize(cells.size() + 7);
    return cells;
  }
  const PairedComparison& difference = *cell.difference;
  for (const double value :
       {difference.difference, difference.interval.low, difference.interval.high, difference.p,
        cell.p_adjusted, difference.detectable}) {
    cells.push_back(number(value));
  }
  cells.push_back(difference.test);
  return cells;
}

}  // namespace

Table comparison_long_table(const Comparison& comparison,
                            std::span<const ReferenceRow> references) {
  Table table;
  for (const char* name : {"checkpoint",  "family",     "train_tokens",   "effective_compute",
                           "task",        "mode",       "metric",         "score",
                           "low",         "high",       "documents",      "complete",
                           "temperature", "difference", "difference_low", "difference_high",
                           "p",           "p_holm",     "detectable",     "test"}) {
    table.columns.push_back({name, false});
  }
  for (const ComparisonRow& row : comparison.rows) {
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      if (row.cells[i]) table.rows.push_back(long_row(row, comparison.columns[i], *row.cells[i]));
    }
  }
  for (const ReferenceRow& reference : references) {
    for (const ComparisonColumn& column : comparison.columns) {
      const auto found = reference.figures.find({column.task, column.mode});
      if (found == reference.figures.end()) continue;
      std::vector<std::string> cells = {fmt::format("{} ({})", reference.name, reference.source),
                                        reference.family,
                                        number(reference.train_tokens),
                                        "",
                                        column.task,
                                        column.mode,
                                        found->second.note,
                                        number(std::stod(found->second.percent) / 100)};
      cells.resize(table.columns.size());
      table.rows.push_back(std::move(cells));
    }
  }
  return table;
}

Table efficiency_table(std::span<const DataEfficiency> efficiencies) {
  Table table;
  table.title = "Data efficiency against the standard family";
  table.columns = {{"task", false}, {"finding", false}};
  bool bound = false;
  for (const DataEfficiency& efficiency : efficiencies) {
    table.rows.push_back({efficiency.task, efficiency_text(efficiency)});
    bound |= efficiency.below_curve || efficiency.beyond_curve || efficiency.interval_open_low ||
             efficiency.interval_open_high;
  }
  if (bound) {
    table.notes.emplace_back(
        "≤, ≥: outside the range of the standard family's checkpoints, so a bound.");
  }
  return table;
}

Table lengths_table(std::span<const TraceLengths> lengths) {
  Table table;
  table.title = "Trace length in tokens: median, and paired change against standard mode";
  table.columns = {{"checkpoint", false}, {"task", false},      {"mode", false},
                   {"median", true},      {"right", true},      {"wrong", true},
                   {"change", true},      {"both right", true}, {"both wrong", true}};
  for (const TraceLengths& row : lengths) {
    table.rows.push_back({row.checkpoint, row.task, row.mode, number(row.median),
                          tokens_or_dash(row.median_right), tokens_or_dash(row.median_wrong),
                          change_text(row.change), change_text(row.change_right),
                          change_text(row.change_wrong)});
  }
  return table;
}

}  // namespace fbt::results
