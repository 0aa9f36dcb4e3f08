#include "results/report/plot/frame.h"

#include <fmt/format.h>

namespace fbt::results {
namespace {

constexpr double kLegendRow = 18;
constexpr double kKeyWidth = 26;
constexpr double kKeyGap = 14;
constexpr double kTickSpace = 62;  // a label's width and the room beside it

double entry_width(const LegendEntry& entry) {
  return kKeyWidth + text_width(entry.name) + kKeyGap;
}

void draw_key(Svg& svg, const LegendEntry& entry, double x, double y) {
  const std::string colour = colour_class(entry.style);
  if (entry.marker) {
    svg.line(x, y, x + 20, y, "series " + colour + (entry.dashed ? " dashed" : ""));
    svg.marker(x + 10, y, entry.style, "mark " + colour + (entry.hollow ? " hollow" : ""));
  } else {
    svg.rect(x + 4, y - 5, 14, 10, "swatch " + colour + (entry.hollow ? " faint" : ""));
  }
}

}  // namespace

std::string colour_class(int style) {
  return fmt::format("c{}", style % 8);
}

double legend_height(const std::vector<LegendEntry>& entries, double width) {
  if (entries.empty()) return 0;
  double x = 0;
  int rows = 1;
  for (const LegendEntry& entry : entries) {
    if (x > 0 && x + entry_width(entry) > width) {
      ++rows;
      x = 0;
    }
    x += entry_width(entry);
  }
  return rows * kLegendRow + 6;
}

void draw_legend(Svg& svg, const std::vector<LegendEntry>& entries, double left, double width) {
  double x = 0;
  double y = 12;
  for (const LegendEntry& entry : entries) {
    if (x > 0 && x + entry_width(entry) > width) {
      y += kLegendRow;
      x = 0;
    }
    draw_key(svg, entry, left + x, y);
    svg.text(left + x + kKeyWidth, y + 4, Svg::Anchor::kStart, "key", entry.name);
    x += entry_width(entry);
  }
}

void draw_x_axis(Svg& svg, const PlotArea& area, const Scale& scale, const std::string& label) {
  for (const Tick& tick : scale.ticks(static_cast<int>((area.right - area.left) / kTickSpace))) {
    const double x = scale.position(tick.value);
    svg.line(x, area.top, x, area.bottom, "grid");
    svg.text(x, area.bottom + 16, Svg::Anchor::kMiddle, "tick", tick.label);
  }
  svg.line(area.left, area.bottom, area.right, area.bottom, "axis");
  svg.text((area.left + area.right) / 2, area.bottom + 34, Svg::Anchor::kMiddle, "label", label);
}

void draw_y_axis(Svg& svg, const PlotArea& area, const Scale& scale, const std::string& label) {
  for (const Tick& tick : scale.ticks(static_cast<int>((area.bottom - area.top) / 42))) {
    const double y = scale.position(tick.value);
    svg.line(area.left, y, area.right, y, "grid");
    svg.text(area.left - 7, y + 4, Svg::Anchor::kEnd, "tick", tick.label);
  }
  svg.line(area.left, area.top, area.left, area.bottom, "axis");
  svg.vertical_text(13, (area.top + area.bottom) / 2, "label", label);
}

}  // namespace fbt::results
