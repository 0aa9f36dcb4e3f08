#pragma once

// Values in a grid as shades: for a terminal, and as an SVG image.

#include <span>
#include <string>
#include <vector>

namespace fbt::mechanism {

struct HeatMap {
  std::string title;
  std::vector<std::string> rows;     // names
  std::vector<std::string> columns;  // names
  std::vector<double> values;        // [rows, columns]; NaN: none
  double low = 0;                    // lightest
  double high = 1;                   // darkest
};

// One line a row: five shades, and the value in percent.
std::string heat_map_text(const HeatMap& map);

// The maps side by side in one self-contained image.
std::string heat_maps_svg(std::span<const HeatMap> maps);

}  // namespace fbt::mechanism
