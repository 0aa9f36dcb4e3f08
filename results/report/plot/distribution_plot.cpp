#include "results/report/plot/distribution_plot.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "results/report/plot/frame.h"
#include "results/report/plot/svg.h"

namespace fbt::results {
namespace {

constexpr double kWidth = 540;
constexpr double kLeft = 84;
constexpr double kRight = 14;
constexpr double kHead = 32;
constexpr double kBottom = 42;
constexpr double kHistogram = 34;
constexpr double kBox = 9;
constexpr double kRow = kHistogram + kBox + 14;
constexpr double kGroup = 20;
constexpr int kBins = 50;

using Bins = std::array<double, kBins>;

Bins histogram(const std::vector<double>& values, const Scale& scale) {
  Bins bins{};
  const double extent = scale.high() - scale.low();
  for (const double value : values) {
    const auto bin = static_cast<int>((value - scale.low()) / extent * kBins);
    ++bins[static_cast<std::size_t>(std::clamp(bin, 0, kBins - 1))];
  }
  return bins;
}

void draw_histogram(Svg& svg, const DistributionRow& row, const Scale& scale, double base) {
  const Bins right = histogram(row.right, scale);
  const Bins wrong = histogram(row.wrong, scale);
  double highest = 1;
  for (std::size_t i = 0; i < kBins; ++i) highest = std::max(highest, right[i] + wrong[i]);
  const double left = scale.position(scale.low());
  const double width = (scale.position(scale.high()) - left) / kBins;
  const std::string colour = colour_class(row.style);
  for (std::size_t i = 0; i < kBins; ++i) {
    const double x = left + static_cast<double>(i) * width;
    const double first = right[i] / highest * kHistogram;
    const double second = wrong[i] / highest * kHistogram;
    if (first > 0) svg.rect(x, base - first, width - 1, first, "swatch " + colour);
    if (second > 0) {
      svg.rect(x, base - first - second, width - 1, second, "swatch faint " + colour);
    }
  }
}

void draw_box(Svg& svg, const std::vector<double>& sorted, const Scale& scale, double top,
              const std::string& colour) {
  const auto at = [&](double p) { return scale.position(quantile(sorted, p)); };
  const double middle = top + kBox / 2;
  svg.line(at(0.05), middle, at(0.25), middle, "error " + colour);
  svg.line(at(0.75), middle, at(0.95), middle, "error " + colour);
  svg.rect(at(0.25), top, std::max(1.0, at(0.75) - at(0.25)), kBox, "box " + colour);
  svg.line(at(0.5), top - 2, at(0.5), top + kBox + 2, "median " + colour);
}

std::vector<double> all_sorted(const DistributionRow& row) {
  std::vector<double> all = row.right;
  all.insert(all.end(), row.wrong.begin(), row.wrong.end());
  std::sort(all.begin(), all.end());
  return all;
}

std::string tooltip(const DistributionRow& row, const std::vector<double>& sorted) {
  return fmt::format(
      "{} {}: median {:.4g}, quartiles {:.4g} to {:.4g}, 5th to 95th percentile "
      "{:.4g} to {:.4g}; {} right, {} not",
      row.group, row.name, quantile(sorted, 0.5), quantile(sorted, 0.25), quantile(sorted, 0.75),
      quantile(sorted, 0.05), quantile(sorted, 0.95), row.right.size(), row.wrong.size());
}

// Room above a row for its heading.
double heading(const std::vector<DistributionRow>& rows, std::size_t i) {
  const bool first = i == 0 || rows[i].group != rows[i - 1].group;
  return first && !rows[i].group.empty() ? kGroup : 0;
}

}  // namespace

double quantile(const std::vector<double>& sorted, double p) {
  const double place = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const auto above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

std::string draw_distribution_plot(const DistributionPlot& plot, const std::string& id) {
  std::vector<double> everything = {0};
  double height = 0;
  for (std::size_t i = 0; i < plot.rows.size(); ++i) {
    for (const auto* values : {&plot.rows[i].right, &plot.rows[i].wrong}) {
      everything.insert(everything.end(), values->begin(), values->end());
    }
    height += heading(plot.rows, i) + kRow;
  }
  const PlotArea area{kLeft, kHead, kWidth - kRight, kHead + height};
  Axis axis;
  axis.label = plot.x_label;
  axis.low = 0;
  const Scale scale(axis, everything, area.left, area.right);

  Svg svg(id, plot.title, plot.description, kWidth, area.bottom + kBottom);
  draw_legend(svg,
              {{"right", 7, false, false, false}, {"wrong or undecided", 7, false, true, false}},
              kLeft, kWidth - kLeft - kRight);
  draw_x_axis(svg, area, scale, plot.x_label);
  double top = area.top;
  for (std::size_t i = 0; i < plot.rows.size(); ++i) {
    const DistributionRow& row = plot.rows[i];
    if (heading(plot.rows, i) > 0) {
      svg.text(8, top + 14, Svg::Anchor::kStart, "group", row.group);
      top += kGroup;
    }
    const std::vector<double> sorted = all_sorted(row);
    if (!sorted.empty()) {
      svg.open_group("point", tooltip(row, sorted));
      draw_histogram(svg, row, scale, top + kHistogram);
      draw_box(svg, sorted, scale, top + kHistogram + 3, colour_class(row.style));
      svg.close_group();
    }
    svg.text(kLeft - 8, top + kHistogram - 2, Svg::Anchor::kEnd, "key", row.name);
    top += kRow;
  }
  return svg.finish();
}

}  // namespace fbt::results
