#include "results/report/plot/scale.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace fbt::results {
namespace {

// Share of the data's extent that is left free at each end.
constexpr double kRoom = 0.06;
// Rounding must not lose a tick at the very end.
constexpr double kSlack = 1e-9;

// Enough decimals to tell ticks `step` apart.
std::string plain_label(double value, double step) {
  if (std::abs(value) < step * kSlack) value = 0;
  const double size = std::max(std::abs(value), step);
  if (size >= 1e6 || size < 1e-3) return fmt::format("{:.3g}", value);
  const int decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(step) - kSlack)));
  return fmt::format("{:.{}f}", value, decimals);
}

}  // namespace

std::vector<double> linear_ticks(double low, double high, int about) {
  const double rough = (high - low) / std::max(1, about);
  if (!(rough > 0)) return {low};
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough * (1 - kSlack)) {
      step = factor * power;
      break;
    }
  }
  std::vector<double> ticks;
  const auto last = static_cast<long long>(std::floor(high / step + kSlack));
  for (auto i = static_cast<long long>(std::ceil(low / step - kSlack)); i <= last; ++i) {
    ticks.push_back(static_cast<double>(i) * step);
  }
  return ticks;
}

std::vector<double> log_ticks(double low, double high, double shift, int about) {
  const double smallest = std::max(low, shift > 0 ? 1.0 : low);
  const int first = static_cast<int>(std::floor(std::log10(smallest)));
  const int last = static_cast<int>(std::ceil(std::log10(std::max(high, smallest))));
  const auto collect = [&](std::initializer_list<double> factors, int every) {
    std::vector<double> ticks;
    if (shift > 0 && low <= 0) ticks.push_back(0);
    for (int decade = first; decade <= last; decade += every) {
      for (const double factor : factors) {
        const double value = factor * std::pow(10, decade);
        if (value >= low * (1 - kSlack) && value <= high * (1 + kSlack)) ticks.push_back(value);
      }
    }
    return ticks;
  };
  std::vector<double> ticks = collect({1, 2, 5}, 1);
  const auto too_many = [&] { return static_cast<int>(ticks.size()) > about * 3 / 2; };
  for (int every = 1; too_many() && every <= last - first; ++every) ticks = collect({1}, every);
  return ticks.size() < 2 ? linear_ticks(low, high, about) : ticks;
}

Scale::Scale(const Axis& axis, const std::vector<double>& values, double begin, double end)
    : axis_(axis), begin_(begin), end_(end) {
  bool any = false;
  for (const double value : values) {
    if (!shows(value)) continue;
    low_ = any ? std::min(low_, value) : value;
    high_ = any ? std::max(high_, value) : value;
    any = true;
  }
  if (!any) high_ = low_ = axis.log ? 1 : 0;
  if (axis.log) {
    const double room =
        std::max(std::log((high_ + axis.shift) / (low_ + axis.shift)) * kRoom, 0.05);
    low_ = (low_ + axis.shift) * std::exp(-room) - axis.shift;
    high_ = (high_ + axis.shift) * std::exp(room) - axis.shift;
  } else {
    const double extent = high_ - low_;
    const double room = extent > 0 ? extent * kRoom : std::max(std::abs(high_) * 0.1, 0.5);
    low_ -= room;
    high_ += room;
  }
  low_ = axis.low.value_or(low_);
  high_ = axis.high.value_or(high_);
}

bool Scale::shows(double value) const {
  return std::isfinite(value) && (!axis_.log || value + axis_.shift > 0);
}

double Scale::along(double value) const {
  return axis_.log ? std::log(value + axis_.shift) : value;
}

double Scale::position(double value) const {
  const double share = (along(value) - along(low_)) / (along(high_) - along(low_));
  return begin_ + std::clamp(share, 0.0, 1.0) * (end_ - begin_);
}

std::vector<Tick> Scale::ticks(int about) const {
  const std::vector<double> values =
      axis_.log ? log_ticks(low_, high_, axis_.shift, about) : linear_ticks(low_, high_, about);
  const double step = values.size() < 2 ? high_ - low_ : values[1] - values[0];
  const auto label = [&](double value) {
    if (axis_.format) return axis_.format(value);
    if (axis_.log || axis_.whole) return fmt::format("{:.6g}", value);
    return plain_label(value, step);
  };
  std::vector<Tick> ticks;
  for (const double value : values) {
    if (!axis_.whole || value == std::round(value)) ticks.push_back({value, label(value)});
  }
  return ticks;
}

}  // namespace fbt::results
