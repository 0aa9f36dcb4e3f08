#include "results/report/plot/heat_map.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "results/report/plot/svg.h"

namespace fbt::results {
namespace {

constexpr double kCellWidth = 68;
constexpr double kCellHeight = 26;
constexpr double kHead = 44;
constexpr double kLeastWidth = 352;  // below it the style sheet enlarges a plot
constexpr double kShades = 10;       // the style sheet's s0 … s10

int shade_of(const HeatMap& map, double value) {
  if (map.high <= map.low) return 0;
  const double depth = std::clamp((value - map.low) / (map.high - map.low), 0.0, 1.0);
  return static_cast<int>(std::lround(depth * kShades));
}

double label_width(const HeatMap& map) {
  double widest = text_width(map.row_label);
  for (const std::string& row : map.rows) widest = std::max(widest, text_width(row));
  return widest + 14;
}

}  // namespace

std::string draw_heat_map(const HeatMap& map, const std::string& id) {
  const double left = label_width(map);
  const auto columns = static_cast<double>(map.columns.size());
  const auto rows = static_cast<double>(map.rows.size());
  Svg svg(id, map.title, map.description, std::max(left + columns * kCellWidth + 2, kLeastWidth),
          kHead + rows * kCellHeight + 2);
  svg.text(left + columns * kCellWidth / 2, 14, Svg::Anchor::kMiddle, "label", map.column_label);
  svg.text(left - 8, kHead - 8, Svg::Anchor::kEnd, "label", map.row_label);
  for (std::size_t c = 0; c < map.columns.size(); ++c) {
    svg.text(left + (static_cast<double>(c) + 0.5) * kCellWidth, kHead - 8, Svg::Anchor::kMiddle,
             "tick", map.columns[c]);
  }
  for (std::size_t r = 0; r < map.rows.size(); ++r) {
    const double y = kHead + static_cast<double>(r) * kCellHeight;
    svg.text(left - 8, y + kCellHeight / 2 + 4, Svg::Anchor::kEnd, "tick", map.rows[r]);
    for (std::size_t c = 0; c < map.columns.size(); ++c) {
      const std::size_t i = r * map.columns.size() + c;
      if (std::isnan(map.values[i])) continue;
      const double x = left + static_cast<double>(c) * kCellWidth;
      const int shade = shade_of(map, map.values[i]);
      svg.open_group("point", map.notes.empty() ? "" : map.notes[i]);
      svg.rect(x, y, kCellWidth - 1, kCellHeight - 1, fmt::format("cell s{}", shade));
      svg.text(x + (kCellWidth - 1) / 2, y + kCellHeight / 2 + 4, Svg::Anchor::kMiddle,
               fmt::format("value s{}", shade), fmt::format("{:.1f}", 100 * map.values[i]));
      svg.close_group();
    }
  }
  return svg.finish();
}

}  // namespace fbt::results
