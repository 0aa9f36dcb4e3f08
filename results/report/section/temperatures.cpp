#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "results/report/plot/line_plot.h"
#include "results/report/section/sections.h"
#include "results/report/section/style.h"

namespace fbt::results {
namespace {

PlotSeries series_of(const ReportData& data, const SummaryRow& row) {
  PlotSeries series;
  series.name = row.mode;
  series.style = mode_style(data, row.mode);
  for (const TemperatureScore& at : row.grid) {
    series.points.push_back(
        {at.temperature, 100 * at.primary.value,
         Interval{100 * at.primary.interval.low, 100 * at.primary.interval.high},
         fmt::format("{} at T {:g}: {} %, chosen in {:.0f} % of the splits", row.mode,
                     at.temperature, percent_with_interval(at.primary.value, at.primary.interval),
                     100 * at.chosen_share)});
  }
  return series;
}

void add_rows(const SummaryRow& row, Table& table) {
  for (const TemperatureScore& at : row.grid) {
    table.rows.push_back({row.mode, fmt::format("{:g}", at.temperature),
                          percent_with_interval(at.primary.value, at.primary.interval),
                          fmt::format("{:.0f} %", 100 * at.chosen_share)});
  }
  table.rows.push_back({row.mode, "split-half",
                        percent_with_interval(row.split_half->value, row.split_half->interval),
                        ""});
}

// The rows with a grid, one list per task and checkpoint.
using GridRows = std::map<std::pair<std::string, std::string>, std::vector<const SummaryRow*>>;

GridRows grid_rows(const ReportData& data) {
  GridRows rows;
  for (const SummaryRow& row : data.summary.rows) {
    if (row.split_half) {
      rows[{row.run.plan.task, checkpoint_label(data, row.run.checkpoint)}].push_back(&row);
    }
  }
  return rows;
}

Figure figure_of(const ReportData& data, const std::string& task, const std::string& checkpoint,
                 const std::vector<const SummaryRow*>& rows, std::size_t number) {
  LinePlot plot;
  plot.title = fmt::format("{} of {}: score by temperature", task, checkpoint);
  plot.description = "The score with its interval at every temperature of the grid, by mode.";
  plot.x = {.label = "temperature"};
  plot.y = {.label = fmt::format("{}, %", rows.front()->run.plan.primary_metric)};
  Table table;
  table.columns = {{"mode", false}, {"T", true}, {"score", true}, {"chosen in splits", true}};
  for (const SummaryRow* row : rows) {
    plot.series.push_back(series_of(data, *row));
    add_rows(*row, table);
  }
  return {fmt::format("{} · {}", task, checkpoint),
          draw_line_plot(plot, figure_id("temperatures", number)), std::move(table)};
}

}  // namespace

std::optional<Section> temperatures_section(const ReportData& data) {
  Figures figures;
  for (const auto& [place, rows] : grid_rows(data)) {
    figures.figures.push_back(
        figure_of(data, place.first, place.second, rows, figures.figures.size()));
  }
  if (figures.figures.empty()) return std::nullopt;
  Section section{"temperatures", "Temperatures", {}};
  section.blocks.emplace_back(Paragraph{
      "The temperature is searched per mode. Taking the best of the grid on the same documents "
      "flatters; the split-half figure chooses the temperature on one half of the documents and "
      "scores it on the other, over repeated splits. How often a temperature was chosen says how "
      "sure the choice is."});
  section.blocks.emplace_back(std::move(figures));
  return section;
}

}  // namespace fbt::results
