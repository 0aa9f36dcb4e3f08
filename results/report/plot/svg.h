#pragma once

// Writes one SVG image for a page whose style sheet gives the colours
// (results/report/page/plot.css): elements carry classes, so that dark mode and
// print need no second image.

#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace fbt::results {

class Svg {
 public:
  enum class Anchor { kStart, kMiddle, kEnd };

  // `id` must be unique in its page. Readers who do not see the image hear
  // `title` and `description`.
  Svg(std::string_view id, std::string_view title, std::string_view description, double width,
      double height);

  // A group with a tooltip (empty: none).
  void open_group(std::string_view css_class, std::string_view tooltip = {});
  void close_group();

  void line(double x1, double y1, double x2, double y2, std::string_view css_class);
  void polyline(std::span<const std::pair<double, double>> points, std::string_view css_class);
  void rect(double x, double y, double width, double height, std::string_view css_class);
  // 0 circle, 1 square, 2 diamond, 3 triangle, 4 cross; others repeat.
  void marker(double x, double y, int shape, std::string_view css_class);
  // A horizontal arrow.
  void arrow(double x1, double x2, double y, std::string_view css_class);
  void text(double x, double y, Anchor anchor, std::string_view css_class, std::string_view text);
  // Read upwards, centred at (x, y).
  void vertical_text(double x, double y, std::string_view css_class, std::string_view text);

  // The whole element. Call once, last.
  std::string finish();

 private:
  std::string svg_;
};

// Width of `text` in the plots' font, roughly: for legends.
double text_width(std::string_view text);

}  // namespace fbt::results
