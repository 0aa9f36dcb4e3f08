#include "harness/mechanism/heat_map.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

namespace fbt::mechanism {
namespace {

constexpr int kCellWidth = 64;
constexpr int kCellHeight = 20;
constexpr int kLabelWidth = 70;
constexpr int kHeadHeight = 46;
constexpr int kGap = 30;

// 0 (at or below low) to 1 (at or above high).
double depth(const HeatMap& map, double value) {
  if (map.high <= map.low) return 0;
  return std::clamp((value - map.low) / (map.high - map.low), 0.0, 1.0);
}

// White to a dark blue.
std::string colour(double depth) {
  const auto mix = [&](int dark) {
    return static_cast<int>(std::lround(255 + depth * (dark - 255)));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", mix(8), mix(48), mix(107));
}

std::string escape(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '&') {
      escaped += "&amp;";
    } else if (c == '<') {
      escaped += "&lt;";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::string text_at(int x, int y, std::string_view anchor, std::string_view fill,
                    std::string_view text) {
  return fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\" fill=\"{}\">{}</text>\n", x, y,
                     anchor, fill, escape(text));
}

int width_of(const HeatMap& map) {
  return kLabelWidth + kCellWidth * static_cast<int>(map.columns.size());
}

std::string draw(const HeatMap& map, int left) {
  std::string svg = text_at(left + kLabelWidth, 16, "start", "#000", map.title);
  const int grid = left + kLabelWidth;
  for (std::size_t c = 0; c < map.columns.size(); ++c) {
    svg += text_at(grid + static_cast<int>(c) * kCellWidth + kCellWidth / 2, kHeadHeight - 8,
                   "middle", "#000", map.columns[c]);
  }
  for (std::size_t r = 0; r < map.rows.size(); ++r) {
    const int y = kHeadHeight + static_cast<int>(r) * kCellHeight;
    svg += text_at(grid - 6, y + 14, "end", "#000", map.rows[r]);
    for (std::size_t c = 0; c < map.columns.size(); ++c) {
      const double value = map.values[r * map.columns.size() + c];
      if (std::isnan(value)) continue;
      const int x = grid + static_cast<int>(c) * kCellWidth;
      const double shade = depth(map, value);
      svg += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n", x, y,
                         kCellWidth, kCellHeight, colour(shade));
      svg += text_at(x + kCellWidth / 2, y + 14, "middle", shade > 0.5 ? "#fff" : "#000",
                     fmt::format("{:.1f}", 100 * value));
    }
  }
  return svg;
}

}  // namespace

std::string heat_map_text(const HeatMap& map) {
  constexpr std::array<std::string_view, 5> kShades = {"··", "░░", "▒▒", "▓▓", "██"};
  std::string text = fmt::format("{}\n{:>10}", map.title, "");
  for (const std::string& column : map.columns) text += fmt::format("  {:>10}", column);
  text += '\n';
  for (std::size_t r = 0; r < map.rows.size(); ++r) {
    text += fmt::format("{:>10}", map.rows[r]);
    for (std::size_t c = 0; c < map.columns.size(); ++c) {
      const double value = map.values[r * map.columns.size() + c];
      if (std::isnan(value)) {
        text += fmt::format("  {:>10}", "-");
        continue;
      }
      const auto shade = static_cast<std::size_t>(std::lround(depth(map, value) * 4));
      text += fmt::format("  {:>7.1f} {}", 100 * value, kShades[shade]);
    }
    text += '\n';
  }
  return text;
}

std::string heat_maps_svg(std::span<const HeatMap> maps) {
  int width = 0;
  std::size_t rows = 0;
  std::string body;
  for (const HeatMap& map : maps) {
    body += draw(map, width);
    width += width_of(map) + kGap;
    rows = std::max(rows, map.rows.size());
  }
  const int height = kHeadHeight + static_cast<int>(rows) * kCellHeight + 10;
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{}</svg>\n",
      width, height, body);
}

}  // namespace fbt::mechanism
