#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "results/compare/comparison_tables.h"
#include "results/compare/matched_budget.h"
#include "results/report/plot/line_plot.h"
#include "results/report/section/sections.h"
#include "results/report/section/style.h"

namespace fbt::results {
namespace {

PlotPoint point_of(const ReportData& data, const ComparisonRow& row, const std::string& mode,
                   const ComparisonCell& cell) {
  const double tokens = *row.checkpoint.train_tokens;
  return {tokens, 100 * cell.score.value,
          Interval{100 * cell.score.interval.low, 100 * cell.score.interval.high},
          fmt::format("{} {}: {} % at {} tokens", checkpoint_label(data, row.checkpoint), mode,
                      percent_with_interval(cell.score.value, cell.score.interval),
                      token_count(tokens))};
}

// One series per family, stage and mode.
struct SeriesKey {
  std::string family;
  std::string stage;
  std::string mode;
  bool operator==(const SeriesKey&) const = default;
};

bool several_stages(const Comparison& comparison) {
  return std::any_of(comparison.rows.begin(), comparison.rows.end(), [&](const auto& row) {
    return row.checkpoint.stage != comparison.rows.front().checkpoint.stage;
  });
}

std::string series_name(const SeriesKey& key, bool with_stage) {
  std::string name = key.family.empty() ? "family not said" : key.family;
  if (with_stage) name += ", " + (key.stage.empty() ? "stage not said" : key.stage);
  return key.family == "standard" && key.mode == "standard" ? name + " family"
                                                            : name + ", " + key.mode;
}

void add_column(const ReportData& data, std::size_t column, LinePlot& plot) {
  const Comparison& comparison = data.comparison;
  const std::string& mode = comparison.columns[column].mode;
  std::vector<SeriesKey> keys;
  std::vector<PlotSeries> all;
  for (const ComparisonRow& row : comparison.rows) {
    const auto& cell = row.cells[column];
    if (!cell || row.checkpoint.train_tokens.value_or(0) <= 0) continue;
    const SeriesKey key{row.checkpoint.family, row.checkpoint.stage, mode};
    const auto found = std::find(keys.begin(), keys.end(), key);
    const auto at = static_cast<std::size_t>(found - keys.begin());
    if (found == keys.end()) {
      keys.push_back(key);
      PlotSeries& series = all.emplace_back();
      series.name = series_name(key, several_stages(comparison));
      series.dashed = key.family == "standard";
      series.hollow = key.family == "standard";
      series.style = series.dashed && mode == "standard" ? 7 : mode_style(data, mode);
    }
    all[at].points.push_back(point_of(data, row, mode, *cell));
  }
  plot.series.insert(plot.series.end(), all.begin(), all.end());
}

void add_references(const ReportData& data, const std::string& task, LinePlot& plot) {
  PlotSeries series;
  series.name = "published";
  series.style = 4;
  series.line = false;
  for (const ReferenceRow& reference : data.references) {
    for (const auto& [place, figure] : reference.figures) {
      if (place.first != task) continue;
      series.points.push_back(
          {reference.train_tokens, std::stod(figure.percent), std::nullopt,
           fmt::format("{} {} ({}): {} % at {} tokens", reference.name, place.second,
                       reference.source, figure.percent, token_count(reference.train_tokens))});
    }
  }
  if (!series.points.empty()) plot.series.push_back(std::move(series));
}

std::string ratio_text(const DataEfficiency& efficiency) {
  const char* bound = efficiency.below_curve ? "≤ " : efficiency.beyond_curve ? "≥ " : "";
  return fmt::format("{}{:.2f}×", bound, efficiency.ratio);
}

void add_arrows(const ReportData& data, const std::string& task, LinePlot& plot) {
  for (const DataEfficiency& efficiency : data.efficiencies) {
    if (efficiency.task != task) continue;
    plot.arrows.push_back({efficiency.train_tokens, efficiency.equivalent_tokens,
                           100 * efficiency.score, mode_style(data, efficiency.mode),
                           ratio_text(efficiency), efficiency_text(efficiency)});
  }
}

Table data_table(const LinePlot& plot) {
  Table table;
  table.columns = {{"series", false}, {"tokens", true}, {"score in %", true}, {"interval", true}};
  for (const PlotSeries& series : plot.series) {
    for (const PlotPoint& point : series.points) {
      table.rows.push_back({series.name, token_count(point.x), fmt::format("{:.2f}", point.y),
                            point.interval ? fmt::format("[{:.1f}, {:.1f}]", point.interval->low,
                                                         point.interval->high)
                                           : "–"});
    }
  }
  return table;
}

std::size_t distinct_sizes(const Comparison& comparison) {
  std::set<double> sizes;
  for (const ComparisonRow& row : comparison.rows) {
    if (row.checkpoint.train_tokens.value_or(0) > 0) sizes.insert(*row.checkpoint.train_tokens);
  }
  return sizes.size();
}

void add_matched_budget(const ReportData& data, Section& section) {
  const std::vector<MatchedPair> pairs = matched_budget(data.runs);
  if (pairs.empty()) return;
  section.blocks.emplace_back(Subheading{"Matched budget"});
  section.blocks.emplace_back(Paragraph{
      "Full-bandwidth checkpoints against standard ones that were trained on twice as many tokens, "
      "paired over the same documents."});
  section.blocks.emplace_back(TableBlock{matched_budget_table(pairs), ""});
}

}  // namespace

std::optional<Section> scaling_section(const ReportData& data) {
  const Comparison& comparison = data.comparison;
  if (distinct_sizes(comparison) < 2) return std::nullopt;
  Figures figures;
  for (std::size_t begin = 0; begin < comparison.columns.size();) {
    const ComparisonColumn& first = comparison.columns[begin];
    LinePlot plot;
    plot.title = fmt::format("{}: score against training tokens", first.task);
    plot.description =
        "Scores with intervals by family and mode; arrows lead to the training tokens "
        "at which the standard family scores as well.";
    plot.x = {.label = "training tokens", .log = true, .format = token_count};
    plot.y = {.label = fmt::format("{}, %", first.metric)};
    std::size_t end = begin;
    for (; end < comparison.columns.size() && comparison.columns[end].task == first.task; ++end) {
      add_column(data, end, plot);
    }
    begin = end;
    if (!first.is_group && is_part_of_group(data, first.task)) continue;
    add_references(data, first.task, plot);
    add_arrows(data, first.task, plot);
    if (plot.series.empty()) continue;
    figures.figures.push_back({first.task,
                               draw_line_plot(plot, figure_id("scaling", figures.figures.size())),
                               data_table(plot)});
  }
  if (figures.figures.empty()) return std::nullopt;
  Section section{"scaling", "Scores against training tokens", {}};
  if (!data.efficiencies.empty()) {
    section.blocks.emplace_back(Paragraph{
        "An arrow leads from a full-bandwidth checkpoint to where the standard family's curve, "
        "interpolated in log tokens, scores as well; its label is the ratio of the two, the data "
        "efficiency."});
  }
  section.blocks.emplace_back(std::move(figures));
  if (!data.efficiencies.empty()) {
    section.blocks.emplace_back(TableBlock{efficiency_table(data.efficiencies), ""});
  }
  add_matched_budget(data, section);
  return section;
}

}  // namespace fbt::results
