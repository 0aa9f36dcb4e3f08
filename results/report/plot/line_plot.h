#pragma once

// Series of points with error bars, joined by lines, and arrows between places.

#include <optional>
#include <string>
#include <vector>

#include "results/report/plot/scale.h"
#include "results/statistics/interval.h"

namespace fbt::results {

struct PlotPoint {
  double x = 0;
  double y = 0;
  std::optional<Interval> interval;  // of y: an error bar
  std::string note;                  // tooltip
};

struct PlotSeries {
  std::string name;
  int style = 0;  // colour and marker
  bool line = true;
  bool dashed = false;
  bool hollow = false;  // markers in outline
  std::vector<PlotPoint> points;
};

struct PlotArrow {
  double from_x = 0;
  double to_x = 0;
  double y = 0;
  int style = 0;
  std::string label;
  std::string note;
};

struct LinePlot {
  std::string title;        // not drawn: for those who do not see the image
  std::string description;  // likewise: what it shows, in a sentence
  Axis x;
  Axis y;
  std::vector<PlotSeries> series;
  std::vector<PlotArrow> arrows;
};

// The SVG element; `id` must be unique in its page. Points that an axis cannot
// show (not finite; not positive on a log axis) are left out, as are arrows too short
// to be seen.
std::string draw_line_plot(const LinePlot& plot, const std::string& id);

}  // namespace fbt::results
