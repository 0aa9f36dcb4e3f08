#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "results/report/plot/line_plot.h"
#include "results/report/section/sections.h"
#include "results/report/section/style.h"

namespace fbt::results {
namespace {

std::string curve_name(const ReportData& data, const StabilityCurve& curve) {
  return fmt::format("{}, {}", checkpoint_label(data, curve.checkpoint), curve.source);
}

// Of each checkpoint and text, the curve with most steps.
std::vector<const StabilityCurve*> longest_curves(const ReportData& data) {
  std::map<std::pair<std::string, std::string>, const StabilityCurve*> longest;
  std::vector<std::pair<std::string, std::string>> order;
  for (const StabilityCurve& curve : data.stability) {
    const std::pair key(curve.checkpoint.content_hash, curve.source);
    const StabilityCurve*& place = longest[key];
    if (place == nullptr) order.push_back(key);
    if (place == nullptr || curve.loss.size() > place->loss.size()) place = &curve;
  }
  std::vector<const StabilityCurve*> curves;
  for (const auto& key : order) curves.push_back(longest[key]);
  return curves;
}

PlotSeries series_of(const std::string& name, const std::vector<double>& values, int style,
                     std::size_t first) {
  PlotSeries series;
  series.name = name;
  series.style = style;
  for (std::size_t n = first; n < values.size(); ++n) {
    series.points.push_back(
        {static_cast<double>(n), values[n], std::nullopt,
         fmt::format("{}: {:.5g} after {} feedback steps", name, values[n], n)});
  }
  return series;
}

// Steps that a table shows: all up to 8, then at growing distances, and the last.
Table data_table(const PlotSeries& like, const std::vector<PlotSeries>& series) {
  Table table;
  table.columns.push_back({"step", true});
  for (const PlotSeries& one : series) table.columns.push_back({one.name, true});
  std::vector<std::size_t> shown;
  for (std::size_t n = 0; n + 1 < like.points.size(); n += n < 8 ? 1 : n / 4) shown.push_back(n);
  shown.push_back(like.points.size() - 1);
  for (const std::size_t n : shown) {
    std::vector<std::string> row = {fmt::format("{:g}", like.points[n].x)};
    for (const PlotSeries& one : series) {
      row.push_back(n < one.points.size() ? fmt::format("{:.5g}", one.points[n].y) : "–");
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Figure figure_of(const std::string& caption, LinePlot plot, std::size_t number) {
  const auto longest = std::max_element(
      plot.series.begin(), plot.series.end(),
      [](const auto& a, const auto& b) { return a.points.size() < b.points.size(); });
  Table table = data_table(*longest, plot.series);
  return {caption, draw_line_plot(plot, figure_id("stability", number)), std::move(table)};
}

}  // namespace

std::optional<Section> stability_section(
    const ReportData& data, const std::function<std::string(const StabilityCurve&)>& judge) {
  const std::vector<const StabilityCurve*> curves = longest_curves(data);
  if (curves.empty()) return std::nullopt;
  LinePlot loss;
  loss.title = "Validation loss by feedback step";
  loss.description = "Loss in nats a token after each feedback step, on log axes.";
  loss.x = {.label = "feedback steps", .log = true, .shift = 1, .low = 0};
  loss.y = {.label = "loss, nats a token", .log = true};
  LinePlot movement;
  movement.title = "Movement of the states by feedback step";
  movement.description = "Mean norm of s(n) - s(n-1) over positions, on log axes.";
  movement.x = {.label = "feedback steps", .log = true};
  movement.y = {.label = "mean ‖s(n) − s(n−1)‖", .log = true};

  Section section{"stability", "Stability of the feedback", {}};
  section.blocks.emplace_back(Paragraph{
      "Fused passes repeat the feedback; a checkpoint is stable where its loss reaches a plateau "
      "and its states stop moving. After as many passes as a window has tokens the states are "
      "the recurrent model's own, whatever happens before."});
  int style = 0;
  for (const StabilityCurve* curve : curves) {
    const std::string name = curve_name(data, *curve);
    loss.series.push_back(series_of(name, curve->loss, style, 0));
    movement.series.push_back(series_of(name, curve->change, style, 1));
    ++style;
  }
  section.blocks.emplace_back(
      Figures{{figure_of("Validation loss", std::move(loss), 0),
               figure_of("Movement of the states", std::move(movement), 1)}});
  for (const StabilityCurve* curve : curves) {
    std::string text = curve_name(data, *curve) + ": ";
    if (judge) text += judge(*curve) + ". ";
    text += fmt::format("{} of {} windows.", curve->windows, curve->windows_planned);
    section.blocks.emplace_back(
        Paragraph{std::move(text), curve->windows < curve->windows_planned});
  }
  return section;
}

}  // namespace fbt::results
