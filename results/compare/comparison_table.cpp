#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "results/compare/comparison_tables.h"

namespace fbt::results {
namespace {

std::string optional_tokens(const std::optional<double>& tokens) {
  return tokens ? token_count(*tokens) : "-";
}

std::string score_text(const ComparisonCell& cell) {
  std::string text = percent(cell.score.value);
  if (cell.temperature) text += fmt::format(" (T {})", *cell.temperature);
  if (!cell.complete) text += " …";
  return text;
}

std::string interval_text(const Interval& interval) {
  return fmt::format("[{}, {}]", percent(interval.low, 1), percent(interval.high, 1));
}

std::string difference_text(const ComparisonCell& cell) {
  if (!cell.difference) return "";
  return fmt::format("{} [{}, {}]{}", signed_percent(cell.difference->difference, 1),
                     signed_percent(cell.difference->interval.low, 1),
                     signed_percent(cell.difference->interval.high, 1),
                     cell.significant ? "*" : "");
}

using Line = std::string (*)(const ComparisonCell&);

// A row of the table: `heads`, then one cell per chosen column.
std::vector<std::string> line_of(const ComparisonRow& row, std::span<const std::size_t> columns,
                                 std::array<std::string, 3> heads, Line line) {
  std::vector<std::string> cells(heads.begin(), heads.end());
  for (const std::size_t column : columns) {
    const auto& cell = row.cells[column];
    cells.push_back(cell ? line(*cell) : "");
  }
  return cells;
}

bool has_differences(const ComparisonRow& row, std::span<const std::size_t> columns) {
  return std::any_of(columns.begin(), columns.end(), [&](std::size_t column) {
    return row.cells[column] && row.cells[column]->difference;
  });
}

void add_row(const Comparison& comparison, const ComparisonRow& row,
             std::span<const std::size_t> columns, Table& table) {
  const bool any = std::any_of(columns.begin(), columns.end(),
                               [&](std::size_t column) { return row.cells[column].has_value(); });
  if (!any) return;
  table.rows.push_back(line_of(row, columns,
                               {row.checkpoint.name, optional_tokens(row.checkpoint.train_tokens),
                                optional_tokens(row.effective_compute)},
                               score_text));
  table.rows.push_back(line_of(
      row, columns, {fmt::format("  {:g}% interval", comparison.options.level * 100), "", ""},
      [](const ComparisonCell& cell) { return interval_text(cell.score.interval); }));
  if (has_differences(row, columns)) {
    table.rows.push_back(
        line_of(row, columns, {"  Δ " + comparison.baseline, "", ""}, difference_text));
  }
}

void add_references(const Comparison& comparison, std::span<const ReferenceRow> references,
                    std::span<const std::size_t> columns, Table& table) {
  bool first = true;
  std::set<std::string> notes;
  for (const ReferenceRow& reference : references) {
    std::vector<std::string> cells = {fmt::format("{} ({})", reference.name, reference.source),
                                      token_count(reference.train_tokens), ""};
    bool any = false;
    for (const std::size_t column : columns) {
      const auto& [task, mode, metric, is_group] = comparison.columns[column];
      const auto found = reference.figures.find({task, mode});
      any = any || found != reference.figures.end();
      if (found == reference.figures.end()) {
        cells.emplace_back();
        continue;
      }
      const auto& [percent, note] = found->second;
      cells.push_back(note.empty() ? percent : percent + "†");
      if (!note.empty()) notes.insert("†: " + note + ".");
    }
    if (!any) continue;
    if (first) table.rows.emplace_back();
    first = false;
    table.rows.push_back(std::move(cells));
  }
  table.notes.insert(table.notes.end(), notes.begin(), notes.end());
}

// Which mode a baseline of another mode was taken in, and what the marks mean.
std::vector<std::string> notes_for(const Comparison& comparison,
                                   std::span<const std::size_t> columns) {
  std::vector<std::string> notes;
  if (!comparison.baseline.empty()) {
    notes.push_back(fmt::format(
        "Δ: paired difference to {} in points, same documents; * significant at {:.2g} after "
        "Holm's correction over the whole table.",
        comparison.baseline, 1 - comparison.options.level));
    double detectable = 0;
    bool other_mode = false;
    for (const ComparisonRow& row : comparison.rows) {
      for (const std::size_t column : columns) {
        const auto& cell = row.cells[column];
        if (!cell || !cell->difference) continue;
        detectable = std::max(detectable, cell->difference->detectable);
        other_mode |= cell->baseline_mode != comparison.columns[column].mode;
      }
    }
    if (other_mode) {
      notes.emplace_back(
          "Where the baseline was not run in a column's mode, Δ is taken to its standard mode.");
    }
    notes.push_back(
        fmt::format("Differences smaller than {} points may go unseen (80% power) in some cells.",
                    percent(detectable, 1)));
  }
  for (const ComparisonRow& row : comparison.rows) {
    for (const std::size_t column : columns) {
      if (row.cells[column] && !row.cells[column]->complete) {
        notes.emplace_back("…: an incomplete run.");
        return notes;
      }
    }
  }
  return notes;
}

Table table_of(const Comparison& comparison, std::span<const ReferenceRow> references,
               std::span<const std::size_t> columns) {
  Table table;
  table.columns = {{"checkpoint", false}, {"tokens", true}, {"compute", true}};
  for (const std::size_t column : columns) {
    table.columns.push_back(
        {fmt::format("{} {}", comparison.columns[column].task, comparison.columns[column].mode),
         true});
  }
  for (const ComparisonRow& row : comparison.rows) add_row(comparison, row, columns, table);
  table.notes = notes_for(comparison, columns);
  add_references(comparison, references, columns, table);
  return table;
}

}  // namespace

Table comparison_table(const Comparison& comparison, std::span<const ReferenceRow> references) {
  std::vector<std::size_t> columns;
  for (std::size_t i = 0; i < comparison.columns.size(); ++i) columns.push_back(i);
  return table_of(comparison, references, columns);
}

std::vector<Table> comparison_tables_by_task(const Comparison& comparison,
                                             std::span<const ReferenceRow> references) {
  std::vector<Table> tables;
  for (std::size_t begin = 0; begin < comparison.columns.size();) {
    std::vector<std::size_t> columns;
    std::size_t end = begin;
    for (; end < comparison.columns.size() &&
           comparison.columns[end].task == comparison.columns[begin].task;
         ++end) {
      columns.push_back(end);
    }
    tables.push_back(table_of(comparison, references, columns));
    // What the marks mean need not be said under each of them.
    if (end < comparison.columns.size()) tables.back().notes.clear();
    begin = end;
  }
  return tables;
}

}  // namespace fbt::results
