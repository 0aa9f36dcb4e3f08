#pragma once

// Set operations on regions.

#include "scorers/math/region.h"

namespace fbt::scorers::math {

Region whole_line();
Region point(const Node& value);

// Sorts and merges the spans, where all ends are numbers; false where an interval runs
// backwards.
bool normalise(Region& region, Budget& budget);

Region unite(const Region& a, const Region& b, Budget& budget);
Region intersect(const Region& a, const Region& b, Budget& budget);
Region complement(const Region& region);

}  // namespace fbt::scorers::math
