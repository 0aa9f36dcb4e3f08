#pragma once

// From values to positions, and where the ticks go.

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace fbt::results {

struct Axis {
  std::string label = {};
  bool log = false;
  bool whole = false;  // ticks at whole numbers only
  // On a log axis: values are shown at log(value + shift), so that a shift of 1
  // gives zero a place.
  double shift = 0;
  // Ends; empty: those of the data, with some room.
  std::optional<double> low = {};
  std::optional<double> high = {};
  std::function<std::string(double)> format = {};  // of tick labels; empty: as few digits as needed
};

struct Tick {
  double value = 0;
  std::string label;
};

// Some `about` round numbers (1, 2 or 5 times a power of ten apart) in [low, high].
std::vector<double> linear_ticks(double low, double high, int about);

// 1, 2, 5, 10, … in [low, high], or only powers of ten where those are too many.
// Falls back to linear_ticks() where there would be fewer than two. With shift >
// 0, zero is the first. Precondition: low + shift > 0.
std::vector<double> log_ticks(double low, double high, double shift, int about);

class Scale {
 public:
  // Maps the axis over `values` to positions from `begin` to `end` (begin may be
  // the larger: vertical axes). Values that a log axis cannot show are ignored.
  Scale(const Axis& axis, const std::vector<double>& values, double begin, double end);

  bool shows(double value) const;  // finite, and positive on a log axis
  double position(double value) const;
  std::vector<Tick> ticks(int about) const;
  double low() const { return low_; }
  double high() const { return high_; }

 private:
  double along(double value) const;  // log where the axis is

  Axis axis_;
  double low_ = 0;
  double high_ = 1;
  double begin_;
  double end_;
};

}  // namespace fbt::results
