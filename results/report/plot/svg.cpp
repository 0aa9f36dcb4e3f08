#include "results/report/plot/svg.h"

#include <array>

#include <fmt/format.h>

#include "base/utf8.h"
#include "results/report/markup.h"

namespace fbt::results {
namespace {

constexpr double kMarker = 4;       // half a marker's width
constexpr double kCharacter = 6.4;  // mean width at the plots' font size

std::string_view anchor_name(Svg::Anchor anchor) {
  switch (anchor) {
    case Svg::Anchor::kStart:
      return "start";
    case Svg::Anchor::kMiddle:
      return "middle";
    case Svg::Anchor::kEnd:
      break;
  }
  return "end";
}

}  // namespace

Svg::Svg(std::string_view id, std::string_view title, std::string_view description, double width,
         double height) {
  svg_ = fmt::format(
      "<svg class=\"plot\" role=\"img\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" aria-labelledby=\"{2}-title {2}-desc\">\n"
      "<title id=\"{2}-title\">{3}</title><desc id=\"{2}-desc\">{4}</desc>\n",
      width, height, escape_markup(id), escape_markup(title), escape_markup(description));
}

void Svg::open_group(std::string_view css_class, std::string_view tooltip) {
  svg_ += fmt::format("<g class=\"{}\">", css_class);
  if (!tooltip.empty()) svg_ += fmt::format("<title>{}</title>", escape_markup(tooltip));
}

void Svg::close_group() {
  svg_ += "</g>\n";
}

void Svg::line(double x1, double y1, double x2, double y2, std::string_view css_class) {
  svg_ +=
      fmt::format("<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>",
                  css_class, x1, y1, x2, y2);
}

void Svg::polyline(std::span<const std::pair<double, double>> points, std::string_view css_class) {
  svg_ += fmt::format("<polyline class=\"{}\" points=\"", css_class);
  for (const auto& [x, y] : points) svg_ += fmt::format("{:.1f},{:.1f} ", x, y);
  if (!points.empty()) svg_.pop_back();
  svg_ += "\"/>";
}

void Svg::rect(double x, double y, double width, double height, std::string_view css_class) {
  svg_ += fmt::format(
      "<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>",
      css_class, x, y, width, height);
}

void Svg::marker(double x, double y, int shape, std::string_view css_class) {
  const auto path = [&](const char* form, double size) {
    svg_ += fmt::format("<path class=\"{}\" d=\"M{:.1f} {:.1f}", css_class, x, y);
    svg_ += fmt::format(fmt::runtime(form), size, 2 * size);
    svg_ += "\"/>";
  };
  switch (shape % 5) {
    case 0:
      svg_ += fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\"/>",
                          css_class, x, y, kMarker);
      break;
    case 1:
      rect(x - kMarker, y - kMarker, 2 * kMarker, 2 * kMarker, css_class);
      break;
    case 2:
      path("m0 -{0:.1f}l{0:.1f} {0:.1f}l-{0:.1f} {0:.1f}l-{0:.1f} -{0:.1f}z", kMarker * 1.35);
      break;
    case 3:
      path("m0 -{0:.1f}l{0:.1f} {1:.1f}h-{1:.1f}z", kMarker * 1.15);
      break;
    default:
      path("m-{0:.1f} -{0:.1f}l{1:.1f} {1:.1f}m0 -{1:.1f}l-{1:.1f} {1:.1f}", kMarker * 0.9);
  }
}

void Svg::arrow(double x1, double x2, double y, std::string_view css_class) {
  const double head = x2 < x1 ? 6 : -6;
  line(x1, y, x2, y, css_class);
  const std::array<std::pair<double, double>, 3> tip = {
      {{x2 + head, y - 3.5}, {x2, y}, {x2 + head, y + 3.5}}};
  polyline(tip, css_class);
}

void Svg::text(double x, double y, Anchor anchor, std::string_view css_class,
               std::string_view text) {
  svg_ += fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>",
                      css_class, x, y, anchor_name(anchor), escape_markup(text));
}

void Svg::vertical_text(double x, double y, std::string_view css_class, std::string_view text) {
  svg_ += fmt::format(
      "<text class=\"{}\" transform=\"translate({:.1f} {:.1f}) rotate(-90)\" "
      "text-anchor=\"middle\">{}</text>",
      css_class, x, y, escape_markup(text));
}

std::string Svg::finish() {
  svg_ += "</svg>\n";
  return std::move(svg_);
}

double text_width(std::string_view text) {
  return kCharacter * static_cast<double>(count_code_points(text));
}

}  // namespace fbt::results
