#include "scorers/math/region_algebra.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scorers/math/numeric.h"
#include "scorers/math/value.h"

namespace fbt::scorers::math {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The end as a double; NaN where it is no real number.
double position(const Node& end, Budget& budget) {
  const WideExponents exponents;
  NumericOptions options;
  options.precision = 128;
  const NumericResult result = evaluate_numerically(end, {}, options, budget);
  if (!result.value || !result.value->is_real()) return std::nan("");
  return result.value->re.to_double();
}

// Orders ends: doubles decide where they differ clearly, exact comparison otherwise.
int order(const Node* a, const Node* b, double infinity, Budget& budget) {
  if (a == nullptr || b == nullptr) {
    const double left = a == nullptr ? infinity : 0;
    const double right = b == nullptr ? infinity : 0;
    return left < right ? -1 : left > right ? 1 : 0;
  }
  const double left = position(*a, budget);
  const double right = position(*b, budget);
  const double scale = std::max({std::abs(left), std::abs(right), 1e-300});
  if (std::abs(left - right) < 1e-9 * scale &&
      compare_values(*a, *b, budget) == Comparison::kEqual) {
    return 0;
  }
  return left < right ? -1 : 1;
}

int order_low(const Span& a, const Span& b, Budget& budget) {
  const int by_value = order(a.low, b.low, -kInfinity, budget);
  if (by_value != 0 || a.low_closed == b.low_closed) return by_value;
  return a.low_closed ? -1 : 1;
}

int order_high(const Span& a, const Span& b, Budget& budget) {
  const int by_value = order(a.high, b.high, kInfinity, budget);
  if (by_value != 0 || a.high_closed == b.high_closed) return by_value;
  return a.high_closed ? 1 : -1;
}

// Whether `next`, which starts no earlier, overlaps `span` or touches it.
bool connected(const Span& span, const Span& next, Budget& budget) {
  if (span.high == nullptr || next.low == nullptr) return true;
  const int by_value = order(next.low, span.high, 0, budget);
  return by_value < 0 || (by_value == 0 && (span.high_closed || next.low_closed));
}

// Empty or backwards: nothing lies in it.
bool is_backwards(const Span& span, Budget& budget) {
  if (span.low == nullptr || span.high == nullptr) return false;
  const int by_value = order(span.low, span.high, 0, budget);
  return by_value > 0 || (by_value == 0 && !(span.low_closed && span.high_closed));
}

}  // namespace

Region whole_line() {
  Region region;
  region.spans.emplace_back();
  return region;
}

Region point(const Node& value) {
  Region region;
  region.spans.push_back({&value, &value, true, true});
  return region;
}

bool normalise(Region& region, Budget& budget) {
  for (const Span& span : region.spans) {
    for (const Node* end : {span.low, span.high}) {
      if (end != nullptr && std::isnan(position(*end, budget))) region.ordered = false;
    }
  }
  if (!region.ordered) return true;
  std::vector<Span>& spans = region.spans;
  if (std::any_of(spans.begin(), spans.end(),
                  [&](const Span& span) { return is_backwards(span, budget); })) {
    return false;
  }
  // Insertion sort: few spans, and an order that depends on a spent budget must not
  // break the algorithm.
  for (std::size_t i = 1; i < spans.size(); ++i) {
    for (std::size_t j = i; j > 0 && order_low(spans[j], spans[j - 1], budget) < 0; --j) {
      std::swap(spans[j], spans[j - 1]);
    }
  }
  std::vector<Span> merged;
  for (const Span& span : spans) {
    if (merged.empty() || !connected(merged.back(), span, budget)) {
      merged.push_back(span);
    } else if (order_high(merged.back(), span, budget) < 0) {
      merged.back().high = span.high;
      merged.back().high_closed = span.high_closed;
    }
  }
  spans = std::move(merged);
  return true;
}

Region unite(const Region& a, const Region& b, Budget& budget) {
  Region result = a;
  result.ordered = a.ordered && b.ordered;
  if (result.unknown.empty()) result.unknown = b.unknown;
  result.spans.insert(result.spans.end(), b.spans.begin(), b.spans.end());
  normalise(result, budget);
  return result;
}

Region intersect(const Region& a, const Region& b, Budget& budget) {
  Region result;
  result.unknown = a.unknown.empty() ? b.unknown : a.unknown;
  result.ordered = a.ordered && b.ordered;
  for (const Span& left : a.spans) {
    for (const Span& right : b.spans) {
      Span common = left;
      if (order_low(left, right, budget) < 0) {
        common.low = right.low;
        common.low_closed = right.low_closed;
      }
      if (order_high(left, right, budget) > 0) {
        common.high = right.high;
        common.high_closed = right.high_closed;
      }
      if (!is_backwards(common, budget)) result.spans.push_back(common);
    }
  }
  normalise(result, budget);
  return result;
}

Region complement(const Region& region) {
  Region result;
  result.unknown = region.unknown;
  result.ordered = region.ordered;
  Span gap;  // starts at -∞
  bool open_gap = true;
  for (const Span& span : region.spans) {
    if (span.low != nullptr) {
      gap.high = span.low;
      gap.high_closed = !span.low_closed;
      result.spans.push_back(gap);
    }
    open_gap = span.high != nullptr;
    gap = Span{span.high, nullptr, !span.high_closed, false};
  }
  if (open_gap) result.spans.push_back(gap);
  return result;
}

}  // namespace fbt::scorers::math
