#pragma once

// What all plots with axes share: grid lines, tick labels, axis names, legend.

#include <string>
#include <vector>

#include "results/report/plot/scale.h"
#include "results/report/plot/svg.h"

namespace fbt::results {

// How a series looks: `style` chooses the colour (the style sheet's c0 … c7)
// and the marker's shape.
struct LegendEntry {
  std::string name;
  int style = 0;
  bool dashed = false;
  bool hollow = false;
  bool marker = true;
};

// The colour class of a style.
std::string colour_class(int style);

// The rectangle that the axes span, in the image's units.
struct PlotArea {
  double left = 0;
  double top = 0;
  double right = 0;
  double bottom = 0;
};

// Height that the legend takes in a plot of this width.
double legend_height(const std::vector<LegendEntry>& entries, double width);
void draw_legend(Svg& svg, const std::vector<LegendEntry>& entries, double left, double width);

void draw_x_axis(Svg& svg, const PlotArea& area, const Scale& scale, const std::string& label);
void draw_y_axis(Svg& svg, const PlotArea& area, const Scale& scale, const std::string& label);

}  // namespace fbt::results
