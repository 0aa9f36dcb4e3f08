#include <cmath>

#include <gmock/gmock.h>

#include "results/report/plot/distribution_plot.h"
#include "results/report/plot/heat_map.h"
#include "results/report/plot/line_plot.h"

namespace fbt::results {
namespace {

using ::testing::DoubleEq;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

int count(const std::string& text, std::string_view part) {
  int found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(LinearTicks, AreRoundNumbers) {
  EXPECT_THAT(linear_ticks(0, 10, 5), ElementsAre(0, 2, 4, 6, 8, 10));
  EXPECT_THAT(linear_ticks(48.2, 61.7, 5), ElementsAre(50, 55, 60));
  EXPECT_THAT(linear_ticks(-1, 1, 4), ElementsAre(-1, -0.5, 0, 0.5, 1));
  EXPECT_THAT(linear_ticks(0.3, 0.7, 4),
              ElementsAre(DoubleNear(0.3, 1e-12), DoubleNear(0.4, 1e-12), DoubleNear(0.5, 1e-12),
                          DoubleNear(0.6, 1e-12), DoubleNear(0.7, 1e-12)));
  EXPECT_THAT(linear_ticks(5, 5, 4), ElementsAre(5));
}

TEST(LogTicks, CoverDecades) {
  EXPECT_THAT(log_ticks(90, 1100, 0, 6), ElementsAre(100, 200, 500, 1000));
  EXPECT_THAT(log_ticks(0, 60, 1, 7), ElementsAre(0, 1, 2, 5, 10, 20, 50));
  EXPECT_THAT(log_ticks(1e-6, 1e6, 0, 5),
              ElementsAre(DoubleEq(1e-6), DoubleEq(1e-4), DoubleEq(1e-2), 1, 100, 1e4, 1e6));
  // Less than a factor of two: no round power, so evenly spaced ones.
  EXPECT_THAT(log_ticks(2.3, 2.7, 0, 4),
              ElementsAre(DoubleNear(2.3, 1e-9), DoubleNear(2.4, 1e-9), DoubleNear(2.5, 1e-9),
                          DoubleNear(2.6, 1e-9), DoubleNear(2.7, 1e-9)));
}

TEST(Scale, PlacesValues) {
  const Scale linear({.low = 0, .high = 10}, {}, 100, 200);
  EXPECT_DOUBLE_EQ(linear.position(0), 100);
  EXPECT_DOUBLE_EQ(linear.position(2.5), 125);
  EXPECT_DOUBLE_EQ(linear.position(99), 200);  // never beyond the axis
  const Scale log({.log = true, .low = 1, .high = 100}, {}, 200, 0);
  EXPECT_DOUBLE_EQ(log.position(10), 100);
  EXPECT_FALSE(log.shows(0));
  EXPECT_FALSE(log.shows(std::nan("")));
  const Scale shifted({.log = true, .shift = 1, .low = 0, .high = 99}, {}, 0, 200);
  EXPECT_TRUE(shifted.shows(0));
  EXPECT_DOUBLE_EQ(shifted.position(9), 100);
}

TEST(Scale, PutsTicksOfStepsAtWholeNumbers) {
  std::vector<std::string> labels;
  for (const Tick& tick : Scale({.whole = true}, {0, 3}, 0, 400).ticks(7)) {
    labels.push_back(tick.label);
  }
  EXPECT_THAT(labels, ElementsAre("0", "1", "2", "3"));
}

TEST(Scale, LeavesRoomAroundTheData) {
  for (const bool log : {false, true}) {
    for (const std::vector<double>& values :
         {std::vector<double>{3, 8}, {5}, {}, {1e-9, 1e9}, {2, std::nan("")}}) {
      const Scale scale({.log = log}, values, 0, 100);
      EXPECT_LT(scale.low(), scale.high());
      for (const double value : values) {
        if (!scale.shows(value)) continue;
        EXPECT_GT(scale.position(value), 0);
        EXPECT_LT(scale.position(value), 100);
      }
    }
  }
}

LinePlot small_plot() {
  LinePlot plot;
  plot.title = "A <title>";
  plot.description = "What & why";
  plot.x = {.label = "tokens", .log = true};
  plot.y = {.label = "score"};
  plot.series = {{"one",
                  0,
                  true,
                  false,
                  false,
                  {{1e9, 50, Interval{48, 52}, "first"}, {2e9, 60, Interval{58, 62}, ""}}},
                 {"two", 1, true, true, true, {{0, 55, {}, "left out"}, {3e9, 58, {}, "kept"}}}};
  plot.arrows = {{1e9, 2e9, 55, 1, "2.00×", "twice"}};
  return plot;
}

TEST(LinePlotSvg, SaysWhatItShows) {
  const std::string svg = draw_line_plot(small_plot(), "id-1");
  EXPECT_THAT(svg, HasSubstr("role=\"img\""));
  EXPECT_THAT(svg, HasSubstr("aria-labelledby=\"id-1-title id-1-desc\""));
  EXPECT_THAT(svg, HasSubstr("<title id=\"id-1-title\">A &lt;title&gt;</title>"));
  EXPECT_THAT(svg, HasSubstr("<desc id=\"id-1-desc\">What &amp; why</desc>"));
  EXPECT_THAT(svg, HasSubstr(">tokens</text>"));
  EXPECT_THAT(svg, HasSubstr("<title>first</title>"));
  EXPECT_THAT(svg, HasSubstr(">2.00×</text>"));
}

TEST(LinePlotSvg, DrawsPointsBarsAndLines) {
  const std::string svg = draw_line_plot(small_plot(), "id");
  EXPECT_EQ(count(svg, "class=\"error c0\""), 2 * 3);  // a bar with two caps each
  EXPECT_EQ(count(svg, "<polyline class=\"series c0\""), 1);
  EXPECT_THAT(svg, Not(HasSubstr("left out")));  // zero has no place on a log axis
  EXPECT_THAT(svg, HasSubstr("kept"));
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, Not(HasSubstr("inf")));
}

TEST(LinePlotSvg, ManyPointsAreALineOnly) {
  LinePlot plot;
  plot.series.push_back({"long", 0, true, false, false, {}});
  for (int n = 0; n < 500; ++n) plot.series[0].points.push_back({n * 1.0, n * 2.0, {}, "p"});
  EXPECT_THAT(draw_line_plot(plot, "id"), Not(HasSubstr("<title>p</title>")));
}

TEST(Quantile, InterpolatesLikeNumPy) {
  // numpy.quantile([1, 2, 4, 8], p)
  const std::vector<double> values = {1, 2, 4, 8};
  EXPECT_DOUBLE_EQ(quantile(values, 0), 1);
  EXPECT_DOUBLE_EQ(quantile(values, 0.25), 1.75);
  EXPECT_DOUBLE_EQ(quantile(values, 0.5), 3);
  EXPECT_DOUBLE_EQ(quantile(values, 0.95), 7.4);
  EXPECT_DOUBLE_EQ(quantile(values, 1), 8);
  EXPECT_DOUBLE_EQ(quantile({5}, 0.3), 5);
}

TEST(DistributionPlotSvg, NumbersAreInItsTooltip) {
  DistributionPlot plot;
  plot.rows = {{"FBT", "fused", 2, {10, 20, 30}, {40}}, {"FBT", "soft", 1, {}, {}}};
  const std::string svg = draw_distribution_plot(plot, "id");
  EXPECT_THAT(svg, HasSubstr("FBT fused: median 25"));
  EXPECT_THAT(svg, HasSubstr("3 right, 1 not"));
  EXPECT_EQ(count(svg, "class=\"group\""), 1);  // one heading for both rows
}

TEST(HeatMapSvg, WritesEveryNumberAndSkipsGaps) {
  HeatMap map;
  map.rows = {"0", "1"};
  map.columns = {"standard", "fused-1"};
  map.values = {0.5, 0.996, std::nan(""), 1.0};
  map.low = 0.5;
  const std::string svg = draw_heat_map(map, "id");
  EXPECT_THAT(svg, HasSubstr("class=\"value s0\""));
  EXPECT_THAT(svg, HasSubstr(">99.6</text>"));
  EXPECT_THAT(svg, HasSubstr(">100.0</text>"));
  EXPECT_EQ(count(svg, "<rect"), 3);
  EXPECT_THAT(svg, HasSubstr("width=\"352\""));  // room for the heading over few columns
}

}  // namespace
}  // namespace fbt::results
