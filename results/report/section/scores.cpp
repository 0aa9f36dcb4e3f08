#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "results/report/section/sections.h"
#include "results/report/section/style.h"

namespace fbt::results {
namespace {

std::string cell_text(const ComparisonCell& cell) {
  std::string text = percent(cell.score.value);
  if (!cell.complete) text += " …";
  text += fmt::format("\n[{}, {}]", percent(cell.score.interval.low, 1),
                      percent(cell.score.interval.high, 1));
  if (cell.temperature) text += fmt::format(" at T {:g}", *cell.temperature);
  if (cell.difference) {
    const PairedComparison& difference = *cell.difference;
    text += fmt::format("\nΔ {} [{}, {}]{}", signed_percent(difference.difference, 1),
                        signed_percent(difference.interval.low, 1),
                        signed_percent(difference.interval.high, 1), cell.significant ? " *" : "");
  }
  return text;
}

std::string head_text(const ReportData& data, const ComparisonRow& row) {
  std::string text = checkpoint_label(data, row.checkpoint);
  if (row.checkpoint.train_tokens) text += "\n" + token_count(*row.checkpoint.train_tokens);
  if (row.is_baseline) text += text.find('\n') == std::string::npos ? "\nbaseline" : ", baseline";
  return text;
}

void add_references(const ReportData& data, std::size_t begin, std::size_t end, Table& table) {
  std::set<std::string> notes;
  for (const ReferenceRow& reference : data.references) {
    std::vector<std::string> row = {
        fmt::format("{}\npublished: {}", reference.name, reference.source)};
    bool any = false;
    for (std::size_t column = begin; column < end; ++column) {
      const ComparisonColumn& place = data.comparison.columns[column];
      const auto found = reference.figures.find({place.task, place.mode});
      std::string& cell = row.emplace_back();
      if (found == reference.figures.end()) continue;
      any = true;
      cell = found->second.percent;
      if (found->second.note.empty()) continue;
      cell += "†";
      notes.insert("†: " + found->second.note + ".");
    }
    if (any) table.rows.push_back(std::move(row));
  }
  table.notes.insert(table.notes.end(), notes.begin(), notes.end());
}

// Columns [begin, end) are those of one task or group.
Table task_table(const ReportData& data, std::size_t begin, std::size_t end) {
  const Comparison& comparison = data.comparison;
  const ComparisonColumn& first = comparison.columns[begin];
  Table table;
  table.title = fmt::format("{}, {} in %", first.task, first.metric);
  table.columns.push_back({"checkpoint", false});
  for (std::size_t i = begin; i < end; ++i) {
    table.columns.push_back({comparison.columns[i].mode, true});
  }
  for (const ComparisonRow& row : comparison.rows) {
    std::vector<std::string> cells = {head_text(data, row)};
    bool any = false;
    for (std::size_t i = begin; i < end; ++i) {
      any = any || row.cells[i].has_value();
      cells.push_back(row.cells[i] ? cell_text(*row.cells[i]) : "");
    }
    if (any) table.rows.push_back(std::move(cells));
  }
  add_references(data, begin, end, table);
  return table;
}

std::string explanation(const Comparison& comparison) {
  const double level = comparison.options.level;
  std::string text = fmt::format("Each cell: the score, its {:g} % interval", 100 * level);
  if (comparison.options.temperature.kind == TemperatureChoice::Kind::kBest) {
    text += " (where a grid was sampled, at the temperature that is best on these documents)";
  }
  if (comparison.baseline.empty()) return text + ".";
  text += fmt::format(
      ", and Δ, the paired difference to {}{} on the same documents. * marks differences that are "
      "significant at {:.2g} after Holm's correction over all of them.",
      comparison.baseline,
      comparison.options.baseline_mode.empty()
          ? ""
          : fmt::format(" in {} mode", comparison.options.baseline_mode),
      1 - level);
  return text;
}

bool any_subjects(const Summary& summary) {
  return std::any_of(summary.rows.begin(), summary.rows.end(),
                     [](const SummaryRow& row) { return !row.subjects.empty(); });
}

}  // namespace

std::optional<Section> scores_section(const ReportData& data) {
  const auto& columns = data.comparison.columns;
  if (columns.empty()) return std::nullopt;
  Section section{"scores", "Scores", {Paragraph{explanation(data.comparison)}}};
  // Groups stand last in the comparison, and first here; their parts go into a fold.
  std::vector<Table> groups;
  std::vector<Table> tasks;
  std::vector<Block> parts;
  for (std::size_t begin = 0; begin < columns.size();) {
    const ComparisonColumn& first = columns[begin];
    std::size_t end = begin;
    while (end < columns.size() && columns[end].task == first.task) ++end;
    Table table = task_table(data, begin, end);
    if (!first.is_group && is_part_of_group(data, first.task)) {
      parts.emplace_back(TableBlock{std::move(table), first.task});
    } else {
      (first.is_group ? groups : tasks).push_back(std::move(table));
    }
    begin = end;
  }
  groups.insert(groups.end(), tasks.begin(), tasks.end());
  if (!groups.empty()) section.blocks.emplace_back(Tables{std::move(groups)});
  section.blocks.insert(section.blocks.end(), parts.begin(), parts.end());
  section.blocks.emplace_back(
      TableBlock{summary_table(data.summary, {false, true}), "Every run in one table"});
  if (any_subjects(data.summary)) {
    section.blocks.emplace_back(
        TableBlock{summary_table(data.summary, {true, false}), "By subject"});
  }
  return section;
}

}  // namespace fbt::results
