#include "results/report/plot/line_plot.h"

#include <cmath>

#include "results/report/plot/frame.h"
#include "results/report/plot/svg.h"

namespace fbt::results {
namespace {

constexpr double kWidth = 540;
constexpr double kAxesHeight = 270;
constexpr double kLeft = 58;
constexpr double kRight = 14;
constexpr double kBottom = 42;
constexpr double kCap = 4;  // half the width of an error bar's ends
constexpr double kNudge = 3;
constexpr double kShortestArrow = 8;
constexpr std::size_t kManyPoints = 40;  // beyond, markers would hide the line

std::vector<double> x_values(const LinePlot& plot) {
  std::vector<double> values;
  for (const PlotSeries& series : plot.series) {
    for (const PlotPoint& point : series.points) values.push_back(point.x);
  }
  for (const PlotArrow& arrow : plot.arrows) values.push_back(arrow.to_x);
  return values;
}

std::vector<double> y_values(const LinePlot& plot) {
  std::vector<double> values;
  for (const PlotSeries& series : plot.series) {
    for (const PlotPoint& point : series.points) {
      values.push_back(point.y);
      if (!point.interval) continue;
      values.push_back(point.interval->low);
      values.push_back(point.interval->high);
    }
  }
  return values;
}

void draw_error_bar(Svg& svg, const Scale& y_scale, double x, const Interval& interval,
                    const std::string& colour) {
  const double low = y_scale.position(interval.low);
  const double high = y_scale.position(interval.high);
  svg.line(x, low, x, high, "error " + colour);
  svg.line(x - kCap, low, x + kCap, low, "error " + colour);
  svg.line(x - kCap, high, x + kCap, high, "error " + colour);
}

// `nudge` moves the series sideways, so that error bars at the same place stay apart.
void draw_series(Svg& svg, const PlotSeries& series, const Scale& x_scale, const Scale& y_scale,
                 double nudge) {
  const std::string colour = colour_class(series.style);
  std::vector<std::pair<double, double>> path;
  for (const PlotPoint& point : series.points) {
    if (!x_scale.shows(point.x) || !y_scale.shows(point.y)) continue;
    path.emplace_back(x_scale.position(point.x) + nudge, y_scale.position(point.y));
  }
  if (series.line && path.size() > 1) {
    svg.polyline(path, "series " + colour + (series.dashed ? " dashed" : ""));
  }
  if (series.points.size() > kManyPoints) return;
  for (const PlotPoint& point : series.points) {
    if (!x_scale.shows(point.x) || !y_scale.shows(point.y)) continue;
    const double x = x_scale.position(point.x) + nudge;
    svg.open_group("point", point.note);
    if (point.interval) draw_error_bar(svg, y_scale, x, *point.interval, colour);
    svg.marker(x, y_scale.position(point.y), series.style,
               "mark " + colour + (series.hollow ? " hollow" : ""));
    svg.close_group();
  }
}

void draw_arrow(Svg& svg, const PlotArrow& arrow, const Scale& x_scale, const Scale& y_scale) {
  if (!x_scale.shows(arrow.from_x) || !x_scale.shows(arrow.to_x)) return;
  const double from = x_scale.position(arrow.from_x);
  const double to = x_scale.position(arrow.to_x);
  const double y = y_scale.position(arrow.y);
  if (std::abs(to - from) < kShortestArrow) return;
  svg.open_group("point", arrow.note);
  svg.arrow(from, to, y, "arrow " + colour_class(arrow.style));
  svg.text((from + to) / 2, y - 6, Svg::Anchor::kMiddle, "note " + colour_class(arrow.style),
           arrow.label);
  svg.close_group();
}

}  // namespace

std::string draw_line_plot(const LinePlot& plot, const std::string& id) {
  std::vector<LegendEntry> legend;
  for (const PlotSeries& series : plot.series) {
    legend.push_back({series.name, series.style, series.dashed, series.hollow});
  }
  if (legend.size() == 1 && legend.front().name.empty()) legend.clear();
  const double head = 8 + legend_height(legend, kWidth - kLeft - kRight);
  const PlotArea area{kLeft, head, kWidth - kRight, head + kAxesHeight};

  Svg svg(id, plot.title, plot.description, kWidth, area.bottom + kBottom);
  draw_legend(svg, legend, kLeft, kWidth - kLeft - kRight);
  const Scale x_scale(plot.x, x_values(plot), area.left, area.right);
  const Scale y_scale(plot.y, y_values(plot), area.bottom, area.top);
  draw_x_axis(svg, area, x_scale, plot.x.label);
  draw_y_axis(svg, area, y_scale, plot.y.label);
  double nudge = -kNudge * (static_cast<double>(plot.series.size()) - 1) / 2;
  for (const PlotSeries& series : plot.series) {
    const bool has_bars = !series.points.empty() && series.points.front().interval;
    draw_series(svg, series, x_scale, y_scale, has_bars ? nudge : 0);
    nudge += kNudge;
  }
  for (const PlotArrow& arrow : plot.arrows) draw_arrow(svg, arrow, x_scale, y_scale);
  return svg.finish();
}

}  // namespace fbt::results
