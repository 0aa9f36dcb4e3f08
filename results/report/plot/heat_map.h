#pragma once

// Shares as shades, with the number in every cell.

#include <string>
#include <vector>

namespace fbt::results {

struct HeatMap {
  std::string title;
  std::string description;
  std::string row_label;     // what goes down
  std::string column_label;  // what goes across
  std::vector<std::string> rows;
  std::vector<std::string> columns;
  std::vector<double> values;      // row by row, in [0, 1]; not a number: no such cell
  std::vector<std::string> notes;  // tooltips, as many; may be empty
  double low = 0;                  // the palest shade, as chance
  double high = 1;
};

// The SVG element; `id` must be unique in its page.
std::string draw_heat_map(const HeatMap& map, const std::string& id);

}  // namespace fbt::results
