#pragma once

// A bound on the work of one comparison, counted in steps of about a
// microsecond, so that the verdict never depends on the machine's speed.

namespace fbt::scorers::math {

class Budget {
 public:
  explicit Budget(long steps = kComparisonSteps) : left_(steps) {}

  // Takes `steps`; false once the budget is spent.
  bool spend(long steps = 1) {
    left_ -= steps;
    return left_ >= 0;
  }
  bool spent() const { return left_ < 0; }

  static constexpr long kComparisonSteps = 20000;

 private:
  long left_;
};

}  // namespace fbt::scorers::math
